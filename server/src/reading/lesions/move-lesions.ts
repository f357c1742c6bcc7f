import { sql } from 'kysely';
import type { Events } from '#core/events/extensions.ts';
import type { Scope } from '#core/access/scope.ts';

/**
 * Splits the lesions of studies that were filed under another patient: each patient keeps a lesion with that patient's
 * own measurements and states. This also reaches studies that the caller may not see.
 */
export const splitLesions = async ({ db }: Scope, studyIds: readonly string[]): Promise<void> => {
  await sql`select split_lesions(${studyIds}::uuid[])`.execute(db);
};

/**
 * Moves lesions and their states to the own study of images that were separated from an order. The measurements were
 * moved before. Splits the lesions if the images belong to another patient.
 */
export const moveLesions = async (
  scope: Scope,
  { orderId, imagesId, since }: Events['study.imagesSeparated'],
): Promise<void> => {
  const { db } = scope;
  await sql`
    update lesions set study_id = ${imagesId}
    where study_id = ${orderId} and created_at >= ${since}::timestamptz`.execute(db);
  await sql`
    update lesion_assessments set study_id = ${imagesId}
    where study_id = ${orderId} and assessed_at >= ${since}::timestamptz`.execute(db);
  await splitLesions(scope, [imagesId, orderId]);
};

/**
 * Links the copied measurements of a moved series to the lesions of the originals. After an undo, brings back the links that
 * users changed on the copies. Splits the lesions if the series was moved to another patient.
 */
export const linkCopiedLesions = async (
  { db }: Scope,
  { moveId }: Events['study.seriesMoved'],
  { isUndo }: { isUndo: boolean },
): Promise<void> => {
  await sql`select link_copied_lesions(${moveId}, ${isUndo})`.execute(db);
};
