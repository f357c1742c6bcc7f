import type { DicomTag } from '@radwork/contract/imaging/studies';

/**
 * Returns the elements whose keyword, tag or value contains the text, in file order. A tag may be typed as "0010,0010",
 * "(0010,0010)" or "00100010".
 */
export const tagsMatching = (tags: readonly DicomTag[], text: string): readonly DicomTag[] => {
  const sought = text.trim().toLowerCase();
  if (sought === '') return tags;
  const digits = sought.replaceAll(/[(),\s]/g, '');
  return tags.filter(({ keyword, tagId, value }) => {
    if (keyword.toLowerCase().includes(sought) || value.toLowerCase().includes(sought)) return true;
    return digits !== '' && tagId.toLowerCase().replaceAll(/[(),]/g, '').includes(digits);
  });
};

/** Returns the number of sequences around an element. Its id is the path: "00400275[1].00321060" is in one sequence. */
export const depthOf = ({ id }: DicomTag): number => id.split('.').length - 1;
