import { t } from '@radwork/contract/core/translate';
import { type KeyImage, keyImageErrors, type KeyImageForm, mostKeyImages } from '@radwork/contract/reading/key-images';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { auditStudy } from '#core/audit/audit.ts';
import { isId } from '#core/values/ids.ts';
import { conflict, forbidden, orNotFound, invalid } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { unsignedTextTest } from '#reading/report-records/unsigned-text.ts';
import { studyById } from '#imaging/studies/study-rows.ts';
import { columnsOf, hasSameContent, type StoredKeyImage, toKeyImage } from './key-image-rows.ts';

type Place = { id: string; keyImageId: string };
type Study = Awaited<ReturnType<typeof studyById>>;

/**
 * Lists the key images of a study, oldest first. Throws 404 for the study. Callers who see no drafts do not receive
 * notes of reports that are not signed.
 */
export const keyImagesOf = async (scope: Scope, studyId: string): Promise<KeyImage[]> => {
  await studyById(scope, studyId);
  const rows = await scope.db
    .selectFrom('key_images')
    .selectAll()
    .where('study_id', '=', studyId)
    .where('removed_at', 'is', null)
    // Leaves out rejected images, which queries do not find.
    .where(sql<boolean>`exists (
      select from instances i where i.sop_instance_uid = key_images.sop_instance_uid and i.study_id = key_images.study_id)`)
    .orderBy('created_at')
    .orderBy('id')
    .limit(mostKeyImages)
    .execute();
  const isUnsigned = await unsignedTextTest(scope, studyId);
  return rows.map((row) => {
    const isHidden = isUnsigned({ at: row.changed_at, authorId: row.author_id });
    return toKeyImage(scope, isHidden ? { ...row, note: '' } : row);
  });
};

/** Returns the image of a key image and how it was viewed. Throws 404 for the study and for an unknown key image. */
export const viewedImageOf = async (scope: Scope, { id, keyImageId }: Place) => {
  const study = await studyById(scope, id);
  const known = isId(keyImageId) ? await stored(scope, keyImageId) : undefined;
  const one = orNotFound(known?.study_id === study.id && !known.removed_at ? known : undefined, 'key image');
  const { seriesInstanceUID, sopInstanceUID, frame, look } = toKeyImage(scope, one);
  return {
    studyUid: study.study_instance_uid,
    seriesUid: seriesInstanceUID,
    instanceUid: sopInstanceUID,
    frame,
    look,
  };
};

/**
 * Saves a key image. Throws 404 for the study, and 422 for a frame that is not in it. Throws 403 for a key image of
 * another user, and 409 for an older revision.
 */
export const save = async (scope: Scope, { id, keyImageId }: Place, form: KeyImageForm): Promise<KeyImage> => {
  const study = await studyById(scope, id);
  await assertInStudy(scope, study, form);
  const known = await stored(scope, keyImageId);
  if (!known) return toKeyImage(scope, await add(scope, study, keyImageId, form));
  assertMine(scope, known, study);
  // The same key image was saved before, but the client did not receive the answer.
  if (!known.removed_at && hasSameContent(known, form)) return toKeyImage(scope, known);
  return toKeyImage(scope, await change(scope, study, known, form));
};

/** Removes a key image. Throws like `save`, and 404 for an unknown key image. */
export const remove = async (scope: Scope, { id, keyImageId }: Place, revision: number) => {
  const study = await studyById(scope, id);
  const known = orNotFound(await stored(scope, keyImageId), 'key image');
  assertMine(scope, known, study);
  if (known.removed_at && known.revision === revision + 1) return { revision: known.revision };
  const removed = await scope.db
    .updateTable('key_images')
    .set({ removed_at: sql`now()`, changed_at: sql`clock_timestamp()`, revision: revision + 1 })
    .where('id', '=', known.id)
    .where('revision', '=', revision)
    .where('removed_at', 'is', null)
    .returning('revision')
    .executeTakeFirst();
  if (!removed) throw changed();
  await publishChange(scope, study, 'keyImage.remove', known);
  return removed;
};

const stored = ({ db }: Scope, id: string): Promise<StoredKeyImage | undefined> =>
  db.selectFrom('key_images').selectAll().where('id', '=', id).executeTakeFirst();

const assertInStudy = async ({ db }: Scope, study: Study, form: KeyImageForm) => {
  const image = await db
    .selectFrom('instances as i')
    .innerJoin('series as s', 's.id', 'i.series_id')
    .select('i.number_of_frames')
    .where('s.study_id', '=', study.id)
    .where('s.series_instance_uid', '=', form.seriesInstanceUID)
    .where('i.sop_instance_uid', '=', form.sopInstanceUID)
    .executeTakeFirst();
  if (!image) throw invalid({ sopInstanceUID: t`This image is not in the study` });
  if (form.frame > (image.number_of_frames ?? 1)) throw invalid({ frame: t`The image has no such frame` });
};

const assertMine = ({ session }: Scope, known: StoredKeyImage, study: Study) => {
  // The viewer creates the ids. An id of another study therefore counts as unknown.
  orNotFound(known.study_id === study.id ? known : undefined, 'key image');
  if (known.author_id !== session.userId) throw forbidden(t`Only the user who marked a key image can change it`);
};

const changed = () =>
  conflict(keyImageErrors.changed, t`The key image was changed in another window. The current version is shown.`);

const add = async (scope: Scope, study: Study, id: string, form: KeyImageForm): Promise<StoredKeyImage> => {
  if (form.revision !== 0) throw orNotFound(undefined, 'key image');
  await assertRoom(scope, study);
  const { userId, username, name } = scope.session;
  const added = await scope.db
    .insertInto('key_images')
    .values({
      ...columnsOf(form),
      id,
      study_id: study.id,
      author_id: userId,
      author_username: username,
      author_name: name,
    })
    .onConflict((known) => known.columns(['tenant_id', 'id']).doNothing())
    .returningAll()
    .executeTakeFirst();
  // The same key image was saved twice at the same moment.
  if (!added) return keptMeanwhile(scope, study, id, form);
  await publishChange(scope, study, 'keyImage.save', added);
  return added;
};

const keptMeanwhile = async (scope: Scope, study: Study, id: string, form: KeyImageForm) => {
  const known = await stored(scope, id);
  if (!known || known.removed_at || !hasSameContent(known, form)) throw changed();
  assertMine(scope, known, study);
  return known;
};

const assertRoom = async ({ db }: Scope, study: Study) => {
  const { count } = await db
    .selectFrom('key_images')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('study_id', '=', study.id)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (count < mostKeyImages) return;
  throw invalid({ sopInstanceUID: t`A study can have at most ${mostKeyImages} key images. Delete some first.` });
};

const change = async (scope: Scope, study: Study, known: StoredKeyImage, form: KeyImageForm) => {
  if (known.removed_at) await assertRoom(scope, study);
  const now = await scope.db
    .updateTable('key_images')
    .set({
      ...columnsOf(form),
      changed_at: sql`clock_timestamp()`,
      revision: form.revision + 1,
      removed_at: null,
    })
    .where('id', '=', known.id)
    .where('revision', '=', form.revision)
    .returningAll()
    .executeTakeFirst();
  if (!now) throw changed();
  await publishChange(scope, study, 'keyImage.save', now);
  return now;
};

const publishChange = async (scope: Scope, study: Study, action: string, { id }: Pick<StoredKeyImage, 'id'>) => {
  await auditStudy(scope, action, study, { keyImageId: id });
  await announce(scope, { kind: 'measurements', studyId: study.id });
};
