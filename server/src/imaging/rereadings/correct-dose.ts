import { sql, type Updateable } from 'kysely';
import type { Studies } from '#core/database/schema.ts';
import type { Scope } from '#core/access/scope.ts';
import { type Dose, doseColumns, doseOfFiles, largestDose } from '#imaging/archive/index/dose-of-files.ts';
import { type Difference, differenceOf } from './compare-headers.ts';
import type { Corrected, Readings } from './readings.ts';

/** Names of the dose for the list: concepts of PS3.16 TID 10012 and 10013, and (0018,9345). */
const namesOfDose = {
  total_dlp: 'CTDoseLengthProductTotal',
  ctdi_vol: 'CTDIvol',
  effective_dose: 'EffectiveDose',
} as const;

/**
 * Corrects the dose of a study, which is the largest dose of its files and is never edited. A file with a larger dose
 * raises it at once. A dose that no file has is lowered when the last file of the study is read again.
 */
export const correctDose = async (scope: Scope, { file, now }: Readings): Promise<Corrected> => {
  const { db } = scope;
  const id = file.study_id;
  const stored = await db
    .selectFrom('studies')
    .select(doseColumns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const raised = largestDose(stored, now.study);
  const dose = (await isTooHigh(scope, file, raised, now.study)) ? await doseOfFiles(scope, id, raised) : raised;
  const changed = doseColumns.flatMap((column): Difference[] =>
    dose[column] === stored[column] ? [] : [differenceOf(namesOfDose[column], stored[column], dose[column])],
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

/** True if this is the last file of its study, and if the dose of the study may come from none of its files. */
const isTooHigh = async ({ db }: Scope, file: Readings['file'], dose: Dose, ofFile: Dose): Promise<boolean> => {
  if (doseColumns.every((column) => dose[column] === ofFile[column])) return false;
  const later = await db
    .selectFrom('instances')
    .select('id')
    .where('study_id', '=', file.study_id)
    .where('id', '>', file.id)
    .limit(1)
    .executeTakeFirst();
  return later === undefined;
};
