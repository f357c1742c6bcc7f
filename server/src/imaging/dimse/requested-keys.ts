import { type DicomJson, itemsOf } from '@radwork/dicom/dataset';
import { entryOf, tagOf } from '@radwork/dicom/dictionary';
import type { Elements, ElementValue } from '@radwork/dicom/part10';

/** A query is invalid. The answer has status A900 and this message, which quotes nothing from the query. */
export class BadQuery extends Error {
  override readonly name = 'BadQuery';
}

const characterSetTag = tagOf('SpecificCharacterSet');

/**
 * Selects the keys that a query requests. Unknown keys are returned empty. A sequence without keys is returned whole
 * (PS3.4 §C.2.2.1.2, §C.2.2.2.6).
 */
export const selectRequestedKeys = (identifier: DicomJson, all: Elements): Elements =>
  Object.fromEntries(
    Object.keys(identifier)
      .filter((tag) => tag !== characterSetTag)
      .flatMap((tag) => entryOf(tag) ?? [])
      .map(({ keyword, vr }) => [
        keyword,
        vr === 'SQ' ? requestedItems(identifier, keyword, all) : (all[keyword] ?? []),
      ]),
  );

const requestedItems = (identifier: DicomJson, keyword: string, all: Elements): Elements[] => {
  const [keys = {}] = itemsOf(identifier, keyword);
  const items = itemsIn(all[keyword]);
  return Object.keys(keys).length === 0
    ? items
    : items.map((item) => selectRequestedKeys(keys, item)).filter(hasItsCode);
};

/**
 * Whether an item still has its code. It has none if the query asks only for Code Value and the code is too long for
 * it. Such an item would be invalid (PS3.3 §8.8).
 */
const hasItsCode = ({ CodeValue, LongCodeValue }: Elements): boolean =>
  CodeValue === undefined || !isEmpty(CodeValue) || !isEmpty(LongCodeValue);

const isEmpty = (value: ElementValue): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

const itemsIn = (value: ElementValue): Elements[] => {
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is Elements => typeof item === 'object');
};
