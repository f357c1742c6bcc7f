import { isAcquisition } from '@radwork/contract/core/modalities';
import type { DicomJson } from '@radwork/dicom/dataset';
import { gunzip } from '#core/resources/gzip.ts';
import type { Scope } from '#core/access/scope.ts';
import { withRejected } from '#imaging/archive/rejection/show-rejected.ts';
import {
  type DescribedFile,
  describeFile,
  mergedAttributes,
  type StudyAttributes,
} from '#imaging/archive/header/study-attributes.ts';

/** Number of stored headers in memory at once. */
const headersAtOnce = 20;

/** Values of all images of a study, as an upload of them would have stored them. */
export type DescribedImages = {
  /** The first image of an acquisition, or the first file. */
  first: DescribedFile;
  attributes: StudyAttributes;
  modalities: string[];
  /** All values of a column in any file, as texts. */
  valuesOf: (column: keyof StudyAttributes) => string[];
};

/**
 * Reads the stored headers of a study again, also of rejected images. Undefined for a study without files, or with copies of
 * failed and undone moves only, which name the patient of the study.
 */
export const describeImages = (
  scope: Scope,
  study: { id: string; study_instance_uid: string },
): Promise<DescribedImages | undefined> => withRejected(scope, () => describeAll(scope, study));

const describeAll = async (
  scope: Scope,
  { id, study_instance_uid }: { id: string; study_instance_uid: string },
): Promise<DescribedImages | undefined> => {
  const values = new Map<string, Set<string>>();
  const modalities = new Set<string>();
  const merged: Record<'acquired' | 'derived', { first: DescribedFile; attributes: StudyAttributes } | undefined> = {
    acquired: undefined,
    derived: undefined,
  };
  const ofShown = new Set<string>();
  for await (const { header, isRejected, isCopy } of headersOf(scope, id)) {
    const file = describeFile(header, study_instance_uid);
    const kind = isAcquisition(file.series.modality) ? 'acquired' : 'derived';
    const before = merged[kind];
    if (!isCopy) {
      merged[kind] = before
        ? { ...before, attributes: mergedAttributes(before.attributes, file.study) }
        : { first: file, attributes: file.study };
      modalities.add(file.series.modality);
      if (!isRejected) ofShown.add(file.series.modality);
    }
    for (const [column, value] of Object.entries(file.study)) {
      if (value === null || value === '') continue;
      values.set(column, (values.get(column) ?? new Set()).add(String(value)));
    }
  }
  const { acquired, derived } = merged;
  const leading = acquired ?? derived;
  if (!leading) return undefined;
  return {
    first: leading.first,
    attributes: acquired && derived ? mergedAttributes(acquired.attributes, derived.attributes) : leading.attributes,
    // As in other studies: the modalities of shown images, or of all images if none is shown.
    modalities: [...(ofShown.size > 0 ? ofShown : modalities)],
    valuesOf: (column) => [...(values.get(column) ?? [])],
  };
};

/** `isCopy`: of a move that failed or was undone. */
type StoredHeader = { header: DicomJson; isRejected: boolean; isCopy: boolean };

/** Yields the headers of a study in the order in which its files arrived, those of rejected images in `withRejected`. */
export async function* headersOf({ db }: Scope, studyId: string): AsyncGenerator<StoredHeader> {
  let last: string | undefined;
  for (;;) {
    const after = last;
    const rows = await db
      .selectFrom('instances as i')
      .leftJoin('rejections as r', 'r.id', 'i.rejection_id')
      .select(['i.id', 'i.metadata', 'i.rejection_id', 'r.is_copy'])
      .where('i.study_id', '=', studyId)
      .$if(after !== undefined, (instances) => instances.where('i.id', '>', after ?? ''))
      .orderBy('i.id')
      .limit(headersAtOnce)
      .execute();
    for (const { metadata, rejection_id, is_copy } of rows) {
      const text = await gunzip(metadata).catch(() => undefined);
      // A file with damaged metadata must not prevent a separation or an undo.
      if (!text) continue;
      const header: DicomJson = JSON.parse(text.toString());
      yield { header, isRejected: rejection_id !== null, isCopy: is_copy === true };
    }
    last = rows.at(-1)?.id;
    if (rows.length < headersAtOnce) return;
  }
}
