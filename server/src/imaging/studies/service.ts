import type { Body } from '@radwork/contract/core/endpoint';
import type { studies as endpoints } from '@radwork/contract/imaging/studies';
import type { DicomTag, SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import type { DicomJson } from '@radwork/dicom/dataset';
import { sql } from 'kysely';
import { gunzip } from '#core/resources/gzip.ts';
import { announce } from '#core/live/announce.ts';
import { auditStudy } from '#core/audit/audit.ts';
import type { Scope } from '#core/access/scope.ts';
import { refuseTakenAccessionNumber } from './accession-numbers.ts';
import { changesOf, refuseOutdated } from './study-changes.ts';
import { detailsOf, seriesOfStudy } from './study-details.ts';
import { type StoredStudy, studyById, studyByUid, studyToChange } from './study-rows.ts';
import { tagsOf } from './study-tags.ts';

type Detail = Record<string, string | number>;

/**
 * Writes to the audit log that the caller views a study. An open page reloads the study after every change. This is the
 * same view and needs no new entry. Any client can claim to be such a page. The entry is therefore skipped only after
 * an earlier view of the last hour. That view must be by the same user, from the same address and of the same patient.
 */
const noteView = async (scope: Scope, study: StoredStudy, detail?: Detail): Promise<void> => {
  if (scope.session.isPoll && (await hasSeenLately(scope, study))) return;
  await auditStudy(scope, scope.session.isPrefetch ? 'study.prefetch' : 'study.view', study, detail);
};

const hasSeenLately = async ({ db, session }: Scope, { id, patient_id }: StoredStudy): Promise<boolean> => {
  const viewRow = await db
    .selectFrom('audit_entries')
    .select('id')
    .where('study_id', '=', id)
    .where('patient_id', '=', patient_id)
    .where('created_at', '>', sql<string>`now() - interval '1 hour'`)
    .where('action', '=', 'study.view')
    .where('user_id', '=', session.userId)
    .where('address', '=', session.address)
    .limit(1)
    .executeTakeFirst();
  return viewRow !== undefined;
};

const showTo = async (scope: Scope, study: StoredStudy): Promise<StudyDetails> => {
  await noteView(scope, study);
  return detailsOf(scope, study);
};

/** Returns a study with all details and audits the view. */
export const get = async (scope: Scope, id: string): Promise<StudyDetails> => showTo(scope, await studyById(scope, id));

export const getByUid = async (scope: Scope, studyUid: string): Promise<StudyDetails> =>
  showTo(scope, await studyByUid(scope, studyUid));

export const series = async (scope: Scope, id: string): Promise<SeriesSummary[]> => {
  await studyById(scope, id);
  return seriesOfStudy(scope, id);
};

/** Returns the header of the study's first instance; empty for a study without images. */
export const tags = async (scope: Scope, id: string): Promise<DicomTag[]> => {
  const study = await studyById(scope, id);
  await noteView(scope, study, { part: 'tags' });
  const first = await scope.db
    .selectFrom('instances as i')
    .innerJoin('series as s', 's.id', 'i.series_id')
    .select('i.metadata')
    .where('i.study_id', '=', id)
    .orderBy(sql`s.series_number nulls last, s.id, i.instance_number nulls last, i.id`)
    .limit(1)
    .executeTakeFirst();
  if (!first) return [];
  const json: DicomJson = JSON.parse((await gunzip(first.metadata)).toString());
  return tagsOf(json);
};

/** Changes the editable fields of a study, if the caller has seen its current revision. */
export const update = async (
  scope: Scope,
  id: string,
  { revision, ...form }: Body<typeof endpoints.update>,
): Promise<StudyDetails> => {
  const study = await studyToChange(scope, id);
  refuseOutdated(study, revision, form);
  const changes = changesOf(study, form);
  if (changes.accession_number) await refuseTakenAccessionNumber(scope, changes.accession_number);
  await scope.db
    .updateTable('studies')
    .set({ ...changes, revision: revision + 1, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
  await auditStudy(scope, 'study.update', study, { fields: Object.keys(changes).join(' ') });
  await announce(scope, { kind: 'study', studyId: id });
  return detailsOf(scope, await studyById(scope, id));
};
