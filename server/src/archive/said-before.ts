import { sql } from 'kysely';
import { prepared } from '#core/database.ts';
import type { Scope } from '#core/scope.ts';
import { type PatientAttributes, patientAttributes } from './study-attributes.ts';
import { gunzipText, unpackedLength } from './zip.ts';

/** Larger metadata takes long to read, and the images of a study say the same. */
const littleMetadata = 64 << 10;
const littleUnpacked = 1 << 20;

/**
 * What the first image of each study says of its patient, by the study's id. Its record may have been corrected since,
 * while the device still has the patient whom it was told of.
 */
export const saidBefore = async (
  { db }: Scope,
  studyIds: readonly string[],
): Promise<ReadonlyMap<string, PatientAttributes>> => {
  if (studyIds.length === 0) return new Map();
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
    return [study_id, patientAttributes(dataset, study_instance_uid)] as const;
  });
  return new Map(await Promise.all(said));
};
