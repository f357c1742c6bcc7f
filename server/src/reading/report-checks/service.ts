import { createHash } from 'node:crypto';
import type { Reply } from '@radwork/contract/core/endpoint';
import type { CheckFacts } from '@radwork/contract/reading/report-check-facts';
import {
  type CheckedReport,
  checkReport,
  type reportChecks,
  type ReportWarning,
} from '@radwork/contract/reading/report-checks';
import { mostMeasurements } from '@radwork/contract/reading/measurements';
import { sql } from 'kysely';
import { localTime } from '#core/values/local-time.ts';
import type { Scope } from '#core/access/scope.ts';
import { mayKnowStudy } from '#core/access/study-access.ts';
import { isComparable } from '#imaging/identity-marks/identity-marks.ts';
import { openFindingsOf } from '#reading/critical-findings/finding-rows.ts';
import { blocksOfHtml } from '#reading/report-records/report-blocks.ts';
import { isLocked } from '#reading/report-records/stored-lock.ts';
import { newestReport, reportById, type StoredReport } from '#reading/report-records/stored-report.ts';
import { examOf } from '#reading/templates/study-facts.ts';
import { imagesSince } from '#imaging/studies/images-since.ts';
import { type StoredStudy, studyById } from '#imaging/studies/study-rows.ts';

/** Returns the facts that the check of a report text needs, as far as the caller may see them. */
export const factsOfStudy = async (scope: Scope, studyId: string): Promise<Reply<typeof reportChecks.facts>> => {
  const study = await studyById(scope, studyId);
  const report = await newestReport(scope, studyId);
  const open = report?.status === 'FINALIZED' ? undefined : report;
  const facts = await factsFor(scope, study, {
    reportId: open?.id,
    isFlaggedCritical: open?.has_critical_findings === true,
  });
  return { ...facts, patientRecordId: study.patient_id };
};

/** Returns the warnings about the stored text of a report. */
export const check = async (scope: Scope, id: string): Promise<CheckedReport> => {
  const report = await reportById(scope, id);
  const warnings = await warningsAbout(scope, report, report.content, report.is_flagged);
  return { contentHash: createHash('sha256').update(report.content).digest('hex'), warnings };
};

/** Returns the warnings about a text, which may not be stored yet. `isFlagged`: the report is marked as critical. */
export const warningsAbout = async (
  scope: Scope,
  report: Pick<StoredReport, 'id' | 'study_id' | 'has_critical_findings'>,
  content: string,
  isFlagged: boolean,
): Promise<ReportWarning[]> => {
  const study = await studyById(scope, report.study_id);
  const isFlaggedCritical = isFlagged || report.has_critical_findings;
  const facts = await factsFor(scope, study, { reportId: report.id, isFlaggedCritical });
  return checkReport(blocksOfHtml(content), facts);
};

/** Returns the kinds and the number of warnings at signing, for the audit log. Contains no report text. */
export const overriddenIn = (warnings: readonly ReportWarning[]): { warnings: number; overridden: string } => ({
  warnings: warnings.length,
  overridden: [...new Set(warnings.map(({ kind }) => kind))].join(' '),
});

type CheckedDraft = { reportId: string | undefined; isFlaggedCritical: boolean };

const factsFor = async (
  scope: Scope,
  study: StoredStudy,
  { reportId, isFlaggedCritical }: CheckedDraft,
): Promise<CheckFacts> => ({
  sex: study.gender ?? '',
  age: ageAt(study.date_of_birth, study.study_date),
  modality: [study.modality, ...study.modalities].join(' '),
  studyDate: localTime(study.study_date)?.slice(0, 10) ?? null,
  ...(await priorsOf(scope, study)),
  ...(await examinationOf(scope, study)),
  measurements: await measurementsOf(scope, study),
  isFlaggedCritical,
  openCriticalFindings: (await openFindingsOf(scope, study.id)).length,
  newImages: await newImagesOf(scope, study.id, reportId),
});

/**
 * Counts the images that the text may not take into account. For a writer, these are the images since the report was
 * opened, because a later save may still ignore them. For a signer of another user's text, these are the images since
 * the last save.
 */
const newImagesOf = (scope: Scope, studyId: string, reportId: string | undefined): Promise<number> => {
  const { db, session } = scope;
  const opened = db
    .selectFrom('reading_locks as l')
    .select('l.taken_at')
    .where('l.study_id', '=', studyId)
    .where('l.user_id', '=', session.userId)
    .where(isLocked('l'));
  const saved = db
    .selectFrom('report_versions')
    .select(({ fn }) => fn.max('created_at').as('at'))
    .where('report_id', '=', reportId ?? null)
    .where('action', 'in', ['CREATED', 'SAVED']);
  return imagesSince(scope, studyId, sql<string | null>`least((${opened}), (${saved}))`);
};

/** Returns the whole years between two days (YYYY-MM-DD…). Null when a day is unknown. */
const ageAt = (birth: string | null, then: string | null): number | null => {
  const day = localTime(then);
  if (!birth || !day) return null;
  const years = Number(day.slice(0, 4)) - Number(birth.slice(0, 4));
  return day.slice(5, 10) < birth.slice(5, 10) ? years - 1 : years;
};

const mostPriors = 200;

/**
 * Returns the dates of the priors, and the prior that hangs: the latest earlier study of the same modality and body part,
 * as the viewer chooses it (web/src/reading/viewer/standard/priors/prior-choice.ts).
 */
const priorsOf = async (
  { db, session }: Scope,
  study: StoredStudy,
): Promise<Pick<CheckFacts, 'priorDates' | 'hangingPrior'>> => {
  const rows = await db
    .selectFrom('studies as s')
    .select(['s.study_date', 's.description', 's.study_description', hangsBeside(study).as('hangs')])
    .where('s.patient_id', '=', study.patient_id)
    .where('s.id', '<>', study.id)
    .where(isComparable(study.id))
    .where('s.deleted_at', 'is', null)
    .where('s.status', '<>', 'CANCELLED')
    .where(mayKnowStudy(session, 's.id'))
    .$if(study.study_date !== null, (others) => others.where('s.study_date', '<=', study.study_date))
    .orderBy('s.study_date', 'desc')
    .limit(mostPriors)
    .execute();
  const dayOf = (date: string | null) => localTime(date)?.slice(0, 10) ?? '';
  const hanging = rows.find(({ hangs }) => hangs);
  return {
    priorDates: [...new Set(rows.map(({ study_date }) => dayOf(study_date)))],
    hangingPrior: hanging
      ? { date: dayOf(hanging.study_date), description: hanging.description || hanging.study_description }
      : null,
  };
};

const hangsBeside = ({ id, modalities }: StoredStudy) => sql<boolean>`(
  s.instance_count > 0 and s.modalities && ${modalities}::text[] and exists (
    select from series theirs join series ours on ours.body_part_examined = theirs.body_part_examined
    where theirs.study_id = s.id and ours.study_id = ${id} and ours.body_part_examined <> ''))`;

const examinationOf = async (scope: Scope, study: StoredStudy): Promise<Pick<CheckFacts, 'bodyParts'>> => {
  const { bodyParts, description } = await examOf(scope, study);
  return { bodyParts: [...bodyParts, description].filter((text) => text !== '') };
};

/** Returns the measurements of the study on images that are not rejected. */
const measurementsOf = async ({ db }: Scope, study: StoredStudy): Promise<CheckFacts['measurements']> => {
  const rows = await db
    .selectFrom('measurements as m')
    .select(['m.label', 'm.measured'])
    .where('m.study_id', '=', study.id)
    .where('m.removed_at', 'is', null)
    .where(
      sql<boolean>`exists (select from series s where s.study_id = m.study_id
        and s.series_instance_uid = m.series_instance_uid)`,
    )
    .where(
      sql<boolean>`(m.sop_instance_uid is null or exists (select from instances i where i.study_id = m.study_id
        and i.sop_instance_uid = m.sop_instance_uid))`,
    )
    .orderBy('m.created_at')
    .limit(mostMeasurements)
    .execute();
  return rows.map(({ label, measured }) => ({
    label,
    values: measured as CheckFacts['measurements'][number]['values'],
  }));
};
