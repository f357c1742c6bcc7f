import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import {
  type Autosave,
  autosaveErrors,
  type reportAutosaves as endpoints,
} from '@radwork/contract/reading/report-autosaves';
import { refuseNewReport } from '@radwork/contract/reading/report-rights';
import { displayName } from '@radwork/dicom/person-name';
import { sql } from 'kysely';
import { localMinute } from '#core/values/local-minute.ts';
import { conflict, type Problem } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { mayKnowPatient } from '#core/access/study-access.ts';
import { acceptUnfinished } from '#reading/report-records/content.ts';
import { newReportFacts } from '#reading/report-records/new-report-facts.ts';
import { assertMay, problemOfRefusal, reportById } from '#reading/report-records/stored-report.ts';
import { type StoredStudy, studyById } from '#imaging/studies/study-rows.ts';
import { ownTexts } from './stored-autosaves.ts';

type Form = Body<typeof endpoints.keep>;

/**
 * Returns the caller's own autosaves of a study, newest first. They can be read even when the study was deleted or is
 * hidden from the caller now. Throws 404 for such a study without autosaves.
 */
export const find = async (scope: Scope, studyId: string): Promise<Autosave[]> => {
  const texts = await ownTexts(scope, studyId)
    .leftJoin('patients as p', (join) =>
      join.onRef('p.id', '=', 'report_autosaves.patient_id').on(mayKnowPatient(scope.session, 'p.id')),
    )
    .select([
      'report_autosaves.id',
      'report_id as reportId',
      'base_revision as baseRevision',
      'content',
      'has_critical_findings as hasCriticalFindings',
      'critical_findings_details as criticalFindingsDetails',
      'saved_at as savedAt',
    ])
    .select(['p.id as record', 'p.patient_name', 'p.patient_id as identifier'])
    .orderBy('saved_at', 'desc')
    .execute();
  if (texts.length === 0) await studyById(scope, studyId);
  return texts.map(({ record, patient_name, identifier, ...text }) => ({
    ...text,
    patient:
      record === null
        ? null
        : { id: record, patientName: displayName(patient_name ?? ''), patientId: identifier ?? '' },
  }));
};

/**
 * Stores the caller's autosave. Changes no report, creates no version and emits no event. Throws the same errors as
 * saving a report. Also throws 409 when it would replace an autosave that the caller does not know.
 */
export const saveAutosave = async (
  scope: Scope,
  studyId: string,
  form: Form,
): Promise<Pick<Autosave, 'id' | 'savedAt'>> => {
  const study = await studyById(scope, studyId);
  await assertMayWrite(scope, study, form.reportId);
  await assertNew(scope, form.id);
  const text = {
    id: form.id,
    base_revision: form.baseRevision,
    patient_id: knownPatient(scope, form.patientId),
    content: acceptUnfinished(form.content),
    has_critical_findings: form.hasCriticalFindings,
    critical_findings_details: form.criticalFindingsDetails,
  };
  const autosave = await scope.db
    .insertInto('report_autosaves')
    .values({ ...text, study_id: studyId, writer_id: scope.session.userId, report_id: form.reportId })
    .onConflict((known) =>
      known
        .columns(['tenant_id', 'study_id', 'writer_id', 'report_id'])
        .doUpdateSet({ ...text, saved_at: sql`now()` })
        .where('report_autosaves.id', '=', form.replaces),
    )
    .returning(['id', 'saved_at as savedAt'])
    .executeTakeFirst();
  if (!autosave) throw await keptElsewhere(scope, studyId, form);
  return autosave;
};

/**
 * Returns the patient record that the writer saw, or null if it was deleted or is now hidden from the writer. An error
 * would lose the text.
 */
const knownPatient = ({ session }: Scope, id: string | null) =>
  sql<string | null>`(select p.id from patients p where p.id = ${id} and ${mayKnowPatient(session, 'p.id')})`;

/** Deletes the caller's autosave with this id. Does nothing if a later autosave has replaced it. */
export const discardAutosave = async (scope: Scope, studyId: string, keptTextId: string): Promise<void> => {
  const gone = await scope.db
    .deleteFrom('report_autosaves')
    .where('id', '=', keptTextId)
    .where('study_id', '=', studyId)
    .where('writer_id', '=', scope.session.userId)
    .returning('id')
    .executeTakeFirst();
  if (!gone) await studyById(scope, studyId);
};

const assertMayWrite = async (scope: Scope, study: StoredStudy, reportId: string | null): Promise<void> => {
  if (reportId !== null) {
    const report = await reportById(scope, reportId);
    if (report.study_id !== study.id) throw conflict('report.study', t`The report belongs to another study`);
    assertMay('edit', report, scope.session);
    return;
  }
  const refusal = refuseNewReport(await newReportFacts(scope, study));
  if (refusal) throw problemOfRefusal(refusal);
};

const assertNew = async ({ db }: Scope, id: string): Promise<void> => {
  const known = await db.selectFrom('report_autosaves').select('id').where('id', '=', id).executeTakeFirst();
  if (known) throw conflict('report.kept_twice', t`An autosave with this id already exists`);
};

const keptElsewhere = async (scope: Scope, studyId: string, { reportId }: Form): Promise<Problem> => {
  const other = await ownTexts(scope, studyId)
    .select('saved_at')
    .where('report_id', 'is not distinct from', reportId)
    .executeTakeFirst();
  const when = other && localMinute(other.saved_at, scope.session.timeZone);
  return conflict(
    autosaveErrors.newer,
    when === undefined
      ? t`You have a newer autosave from another window. This text is saved in this browser only.`
      : t`You have a newer autosave from another window, saved at ${when}. This text is saved in this browser only.`,
  );
};
