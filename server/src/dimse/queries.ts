import { type DicomJson, itemsOf } from '@radwork/dicom/dataset';
import { entryOf, tagOf } from '@radwork/dicom/dictionary';
import type { Elements, ElementValue } from '@radwork/dicom/part10';

/** A query asks for what cannot be, and is answered A900. The message is for its sender and quotes nothing of it. */
export class BadQuery extends Error {
  override readonly name = 'BadQuery';
}

const characterSetTag = tagOf('SpecificCharacterSet');

/**
 * Of all that there is to say, what the keys of a query ask for: those there is nothing to say about are empty, and
 * of a sequence that is asked for without keys everything is told (PS3.4 §C.2.2.1.2, §C.2.2.2.6).
 */
export const whatIsAsked = (identifier: DicomJson, all: Elements): Elements =>
  Object.fromEntries(
    Object.keys(identifier)
      .filter((tag) => tag !== characterSetTag)
      .flatMap((tag) => entryOf(tag) ?? [])
      .map(({ keyword, vr }) => [keyword, vr === 'SQ' ? itemsAsked(identifier, keyword, all) : (all[keyword] ?? [])]),
  );

const itemsAsked = (identifier: DicomJson, keyword: string, all: Elements): Elements[] => {
  const [keys = {}] = itemsOf(identifier, keyword);
  const items = itemsIn(all[keyword]);
  return Object.keys(keys).length === 0 ? items : items.map((item) => whatIsAsked(keys, item)).filter(hasItsCode);
};

/** A code that is too long for the element it is asked for by is not told: without a value it is none (PS3.3 §8.8). */
const hasItsCode = ({ CodeValue, LongCodeValue }: Elements): boolean =>
  CodeValue === undefined || !isEmpty(CodeValue) || !isEmpty(LongCodeValue);

const isEmpty = (value: ElementValue): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

const itemsIn = (value: ElementValue): Elements[] => {
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is Elements => typeof item === 'object');
};
