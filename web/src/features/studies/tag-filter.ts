import type { DicomTag } from '@radwork/contract/studies';

/**
 * The elements whose keyword, tag or value holds the text, in the order of the file. A tag may be typed as
 * "0010,0010", "(0010,0010)" or "00100010".
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

/** How many sequences an element lies in; its id is the path to it ("00400275[1].00321060" lies in one). */
export const depthOf = ({ id }: DicomTag): number => id.split('.').length - 1;
