import { sql } from 'kysely';
import { prepared } from '#core/database.ts';
import type { Scope } from '#core/scope.ts';
import type { Named } from './plan-batch.ts';
import { patientAttributes } from './study-attributes.ts';
import { gunzipText, unpackedLength } from './zip.ts';

/** Larger metadata takes long to read, and the images of a study say the same. */
const littleMetadata = 64 << 10;
const littleUnpacked = 1 << 20;

/**
 * What the first image of each study says of its patient, and what the worklist told scanners, by the study's id. The
 * record may have been corrected since, while the device still has the patient whom it was told of.
 */
export const saidBefore = async (scope: Scope, studyIds: readonly string[]): Promise<ReadonlyMap<string, Named[]>> => {
  if (studyIds.length === 0) return new Map();
  const said = await Promise.all([saidByImages(scope, studyIds), toldByWorklist(scope, studyIds)]);
  const byStudy = Map.groupBy(said.flat(), ({ studyId }) => studyId);
  return new Map([...byStudy].map(([studyId, names]) => [studyId, names.map(({ named }) => named)]));
};

type Said = { studyId: string; named: Named };

const toldByWorklist = async ({ db }: Scope, studyIds: readonly string[]): Promise<Said[]> => {
  const rows = await db
    .selectFrom('worklist_told')
    .select(['study_id', 'patient_id', 'issuer', 'patient_name'])
    .where(sql<boolean>`study_id = any(${[...new Set(studyIds)]})`)
    .modifyEnd(prepared)
    .execute();
  return rows.map(({ study_id: studyId, ...named }) => ({ studyId, named }));
};

const saidByImages = async ({ db }: Scope, studyIds: readonly string[]): Promise<Said[]> => {
  const rows = await db
    .selectFrom('instances')
    .distinctOn('instances.study_id')
    .innerJoin('studies', 'studies.id', 'instances.study_id')
    .select(['instances.study_id', 'metadata', 'study_instance_uid'])
    .where(sql<boolean>`instances.study_id = any(${[...new Set(studyIds)]})`)
    .where(sql<boolean>`length(metadata) <= ${littleMetadata}`)
    .orderBy('instances.study_id')
    .orderBy('instances.id')
    .modifyEnd(prepared)
    .execute();
  const little = rows.filter(({ metadata }) => unpackedLength(metadata) <= littleUnpacked);
  const said = little.map(async ({ study_id, metadata, study_instance_uid }) => {
    const dataset = JSON.parse((await gunzipText(metadata)).toString());
    return { studyId: study_id, named: patientAttributes(dataset, study_instance_uid) };
  });
  return Promise.all(said);
};
