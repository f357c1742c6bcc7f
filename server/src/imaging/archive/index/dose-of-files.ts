import { incorrectWorklistEntry } from '@radwork/contract/imaging/rejections';
import type { DicomJson } from '@radwork/dicom/dataset';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { gunzipText } from '#core/resources/gzip.ts';
import { type StudyAttributes, studyAttributes } from '#imaging/archive/header/study-attributes.ts';
import { withRejected } from '#imaging/archive/rejection/show-rejected.ts';

/** Dose of a study: the largest of its files. */
export type Dose = Pick<StudyAttributes, 'total_dlp' | 'ctdi_vol' | 'effective_dose'>;

export const doseColumns = ['total_dlp', 'ctdi_vol', 'effective_dose'] as const satisfies (keyof Dose)[];

export const largestDose = (one: Dose, other: Dose): Dose => ({
  total_dlp: larger(one.total_dlp, other.total_dlp),
  ctdi_vol: larger(one.ctdi_vol, other.ctdi_vol),
  effective_dose: larger(one.effective_dose, other.effective_dose),
});

const larger = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);

/** Number of stored headers in memory at once. */
const headersAtOnce = 20;

/**
 * Returns the largest dose of the stored headers of a study. Stops as soon as it reaches the expected dose. The patient
 * received the dose of rejected images, too, unless they were rejected for a wrong worklist entry: these are images of
 * another study.
 */
export const doseOfFiles = (scope: Scope, studyId: string, expected?: Dose): Promise<Dose> =>
  withRejected(scope, () => readDose(scope, studyId, expected));

/**
 * Sets the dose of a study to that of its files, after images have left it. `canRise`: images may also have returned. The
 * caller holds the lock of the study.
 */
export const recountDose = async (scope: Scope, studyId: string, { canRise }: { canRise: boolean }): Promise<void> => {
  const { db } = scope;
  const stored = await db.selectFrom('studies').select(doseColumns).where('id', '=', studyId).executeTakeFirstOrThrow();
  if (!canRise && doseColumns.every((column) => stored[column] === null)) return;
  const dose = await doseOfFiles(scope, studyId, canRise ? undefined : stored);
  if (doseColumns.every((column) => dose[column] === stored[column])) return;
  await db.updateTable('studies').set(dose).where('id', '=', studyId).execute();
};

const readDose = async ({ db }: Scope, studyId: string, expected: Dose | undefined): Promise<Dose> => {
  let dose: Dose = { total_dlp: null, ctdi_vol: null, effective_dose: null };
  let last: string | undefined;
  for (;;) {
    const after = last;
    const rows = await db
      .selectFrom('instances as i')
      .leftJoin('rejections as r', 'r.id', 'i.rejection_id')
      .select(['i.id', 'i.metadata'])
      .where('i.study_id', '=', studyId)
      .where(sql<boolean>`r.title is distinct from ${incorrectWorklistEntry}`)
      .$if(after !== undefined, (instances) => instances.where('i.id', '<', after ?? ''))
      // Dose reports usually come last.
      .orderBy('i.id', 'desc')
      .limit(headersAtOnce)
      .execute();
    for (const { metadata } of rows) {
      const header = await gunzipText(metadata).catch(() => undefined);
      // Only a file that could not be read again still has damaged metadata.
      if (header) dose = largestDose(dose, studyAttributes(JSON.parse(header.toString()) as DicomJson));
      if (expected && doseColumns.every((column) => dose[column] === expected[column])) return expected;
    }
    last = rows.at(-1)?.id;
    if (rows.length < headersAtOnce) return dose;
  }
};
