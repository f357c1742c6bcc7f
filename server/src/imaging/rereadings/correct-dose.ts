import type { DicomJson } from '@radwork/dicom/dataset';
import { sql, type Updateable } from 'kysely';
import type { Studies } from '#core/database/schema.ts';
import type { Scope } from '#core/access/scope.ts';
import { gunzipText } from '#core/resources/gzip.ts';
import { studyAttributes } from '#imaging/archive/header/study-attributes.ts';
import { type Difference, differenceOf } from './compare-headers.ts';
import type { Corrected, Readings } from './readings.ts';

/** Dose of a study, with the names for the list: concepts of PS3.16 TID 10012 and 10013, and (0018,9345). */
const doseColumns = {
  total_dlp: 'CTDoseLengthProductTotal',
  ctdi_vol: 'CTDIvol',
  effective_dose: 'EffectiveDose',
} as const;

type Dose = Record<keyof typeof doseColumns, number | null>;

const columns = Object.keys(doseColumns) as (keyof Dose)[];

/**
 * Corrects the dose of a study. No user edits it: it is the largest dose of its files. A file with a larger dose raises
 * it at once. A dose that is larger than in any file is lowered at the last file of the study, when all were read again.
 */
export const correctDose = async (scope: Scope, { file, now }: Readings): Promise<Corrected> => {
  const { db } = scope;
  const id = file.study_id;
  const stored = await db
    .selectFrom('studies')
    .select(columns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const raised = largest(stored, now.study);
  const dose = (await isTooHigh(scope, file, raised, now.study)) ? await doseOfFiles(scope, id, raised) : raised;
  const changed = columns.flatMap((column): Difference[] =>
    dose[column] === stored[column] ? [] : [differenceOf(doseColumns[column], stored[column], dose[column])],
  );
  if (changed.length > 0) {
    const set: Updateable<Studies> = dose;
    await db
      .updateTable('studies')
      .set({ ...set, updated_at: sql<string>`now()` })
      .where('id', '=', id)
      .execute();
  }
  return { changed, left: [] };
};

const largest = (one: Dose, other: Dose): Dose => ({
  total_dlp: larger(one.total_dlp, other.total_dlp),
  ctdi_vol: larger(one.ctdi_vol, other.ctdi_vol),
  effective_dose: larger(one.effective_dose, other.effective_dose),
});

const larger = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);

/** True at the last file of a study whose dose may be in none of its files. */
const isTooHigh = async ({ db }: Scope, file: Readings['file'], dose: Dose, ofFile: Dose): Promise<boolean> => {
  if (columns.every((column) => dose[column] === ofFile[column])) return false;
  const later = await db
    .selectFrom('instances')
    .select('id')
    .where('study_id', '=', file.study_id)
    .where('id', '>', file.id)
    .limit(1)
    .executeTakeFirst();
  return later === undefined;
};

/** Number of stored headers in memory at once. */
const headersAtOnce = 20;

/** Returns the largest dose of the stored headers of a study. Stops as soon as it reaches the expected dose. */
const doseOfFiles = async ({ db }: Scope, studyId: string, expected: Dose): Promise<Dose> => {
  let dose: Dose = { total_dlp: null, ctdi_vol: null, effective_dose: null };
  let last: string | undefined;
  for (;;) {
    const after = last;
    const rows = await db
      .selectFrom('instances')
      .select(['id', 'metadata'])
      .where('study_id', '=', studyId)
      .$if(after !== undefined, (instances) => instances.where('id', '<', after ?? ''))
      // Dose reports usually come last.
      .orderBy('id', 'desc')
      .limit(headersAtOnce)
      .execute();
    for (const { metadata } of rows) {
      const header = await gunzipText(metadata).catch(() => undefined);
      // Only a file that could not be read again still has damaged metadata.
      if (header) dose = largest(dose, studyAttributes(JSON.parse(header.toString()) as DicomJson));
      if (columns.every((column) => dose[column] === expected[column])) return expected;
    }
    last = rows.at(-1)?.id;
    if (rows.length < headersAtOnce) return dose;
  }
};
