import { t } from '@radwork/contract/core/translate';
import { mostKeyImages } from '@radwork/contract/reading/key-images';
import { sql } from 'kysely';
import { invalid } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { aboutStudy } from '#imaging/study-documents/read-study-attributes.ts';
import type { DocumentKind } from '#imaging/study-documents/document-kind.ts';
import { localDateTime } from '#imaging/studies/study-elements.ts';
import type { StoredStudy } from '#imaging/studies/study-rows.ts';
import {
  keyObjectDocument,
  type KeyObject,
  type KeyObjectSelection,
  keyObjectSelectionDocument,
} from './key-object-document.ts';
import type { StoredKeyImage } from './key-image-rows.ts';

/**
 * Key images of a study as a Key Object Selection. Documents of this kind cannot reference earlier documents (PS3.3
 * §C.17.6.2).
 */
export const keyImagesDocument: DocumentKind = {
  name: 'keyImage',
  plural: 'key images',
  hasPredecessors: false,
  source: async (scope, study) => {
    const marked = await markedIn(scope, study);
    const selection = await selectionOf(scope, study, marked);
    if (selection.objects.length === 0) throw invalid({ keyImages: t`This study has no key images yet` });
    return {
      studyInstanceUid: selection.studyInstanceUid,
      sopClassUid: keyObjectSelectionDocument,
      contentKey: JSON.stringify([selection, marked.map(({ id, revision }) => [id, revision])]),
      written: localDateTime(await lastChange(scope, study), scope.session.timeZone),
      audited: { keyImages: marked.length },
      make: (identity) => keyObjectDocument(selection, identity),
    };
  },
};

const markedIn = ({ db }: Scope, study: StoredStudy): Promise<StoredKeyImage[]> =>
  db
    .selectFrom('key_images')
    .selectAll()
    .where('study_id', '=', study.id)
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(mostKeyImages)
    .execute();

/**
 * Returns the time of the last change. Removals count too, because a selection without a removed key image is newer.
 */
const lastChange = async ({ db }: Scope, study: StoredStudy): Promise<string> => {
  const { changed_at: changedAt } = await db
    .selectFrom('key_images')
    .select('changed_at')
    .where('study_id', '=', study.id)
    .orderBy('changed_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return changedAt;
};

type Image = Omit<KeyObject, 'frame' | 'notes'> & { hasFrames: boolean };

/** Lists each frame once, even if it has several marks. Leaves out images that are not in the archive now. */
const selectionOf = async (
  scope: Scope,
  study: StoredStudy,
  marked: readonly StoredKeyImage[],
): Promise<KeyObjectSelection> => {
  const images = await imagesOf(scope, study, marked);
  const present = marked.filter(({ sop_instance_uid }) => images.has(sop_instance_uid));
  const byFrame = Map.groupBy(present, ({ sop_instance_uid, frame }) => `${sop_instance_uid} ${frame}`);
  const objects = [...byFrame.values()].flatMap((marks): KeyObject[] => {
    const image = images.get(marks[0]?.sop_instance_uid ?? '');
    if (!image) return [];
    const { hasFrames, ...more } = image;
    const notes = marks.flatMap(({ note }) => (note === '' ? [] : [note]));
    return [{ ...more, frame: hasFrames ? marks[0]?.frame : undefined, notes }];
  });
  const authors = [...new Set(present.map(({ author_name }) => author_name))];
  return { ...(await aboutStudy(scope, study)), objects, authors };
};

const imagesOf = async ({ db }: Scope, { id }: StoredStudy, marked: readonly StoredKeyImage[]) => {
  const uids = [...new Set(marked.map(({ sop_instance_uid }) => sop_instance_uid))];
  const rows = await db
    .selectFrom('instances as i')
    .innerJoin('series as s', 's.id', 'i.series_id')
    .select([
      'i.sop_instance_uid',
      'i.sop_class_uid',
      'i.instance_number',
      'i.number_of_frames',
      's.series_instance_uid',
      's.series_number',
    ])
    .where('i.study_id', '=', id)
    .where(sql<boolean>`i.sop_instance_uid = any(${uids}::text[])`)
    .execute();
  return new Map(
    rows.map((row): [string, Image] => [
      row.sop_instance_uid,
      {
        sopClassUid: row.sop_class_uid,
        sopInstanceUid: row.sop_instance_uid,
        seriesInstanceUid: row.series_instance_uid,
        seriesNumber: row.series_number,
        instanceNumber: row.instance_number,
        // For an image with a single frame, the whole image is referenced (PS3.3 §10.3).
        hasFrames: row.number_of_frames > 1,
      },
    ]),
  );
};
