import type { DicomTag } from '@radwork/contract/imaging/study-rows';

/**
 * Returns the elements whose keyword, tag or value contains the text, in the order of the file. The user may type a tag
 * as "0010,0010", "(0010,0010)" or "00100010".
 */
export const tagsMatching = (tags: readonly DicomTag[], text: string): readonly DicomTag[] => {
  const searched = text.trim().toLowerCase();
  if (searched === '') return tags;
  const digits = searched.replaceAll(/[(),\s]/g, '');
  return tags.filter(({ keyword, tagId, value }) => {
    if (keyword.toLowerCase().includes(searched) || value.toLowerCase().includes(searched)) return true;
    return digits !== '' && tagId.toLowerCase().replaceAll(/[(),]/g, '').includes(digits);
  });
};

/**
 * Returns the number of sequences around an element, from its ID. The ID is a path: "00400275[1].00321060" is inside
 * one sequence.
 */
export const depthOf = ({ id }: DicomTag): number => id.split('.').length - 1;
