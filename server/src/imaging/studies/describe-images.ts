import { isAcquisition } from '@radwork/contract/core/modalities';
import type { DicomJson } from '@radwork/dicom/dataset';
import { gunzip } from '#core/resources/gzip.ts';
import type { Scope } from '#core/access/scope.ts';
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

/** Reads the stored headers of a study again. Undefined for a study without files. */
export const describeImages = async (
  scope: Scope,
  { id, study_instance_uid }: { id: string; study_instance_uid: string },
): Promise<DescribedImages | undefined> => {
  const values = new Map<string, Set<string>>();
  const modalities = new Set<string>();
  const merged: Record<'acquired' | 'derived', { first: DescribedFile; attributes: StudyAttributes } | undefined> = {
    acquired: undefined,
    derived: undefined,
  };
  for await (const header of headersOf(scope, id)) {
    const file = describeFile(header, study_instance_uid);
    const kind = isAcquisition(file.series.modality) ? 'acquired' : 'derived';
    const before = merged[kind];
    merged[kind] = before
      ? { ...before, attributes: mergedAttributes(before.attributes, file.study) }
      : { first: file, attributes: file.study };
    modalities.add(file.series.modality);
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
    modalities: [...modalities],
    valuesOf: (column) => [...(values.get(column) ?? [])],
  };
};

/** Yields the headers of a study in the order in which its files arrived. */
async function* headersOf({ db }: Scope, studyId: string): AsyncGenerator<DicomJson> {
  let last: string | undefined;
  for (;;) {
    const after = last;
    const rows = await db
      .selectFrom('instances')
      .select(['id', 'metadata'])
      .where('study_id', '=', studyId)
      .$if(after !== undefined, (instances) => instances.where('id', '>', after ?? ''))
      .orderBy('id')
      .limit(headersAtOnce)
      .execute();
    for (const { metadata } of rows) yield JSON.parse((await gunzip(metadata)).toString()) as DicomJson;
    last = rows.at(-1)?.id;
    if (rows.length < headersAtOnce) return;
  }
}
