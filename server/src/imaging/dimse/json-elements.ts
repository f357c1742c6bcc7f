import type { DicomJson, DicomValue, PersonName } from '@radwork/dicom/dataset';
import { entryOf } from '@radwork/dicom/dictionary';
import type { Elements, ElementValue } from '@radwork/dicom/part10';

/** Converts DICOM JSON to a data set for writing. Leaves out binary values and private elements. */
export const elementsOf = (json: DicomJson): Elements =>
  Object.fromEntries(
    Object.entries(json).flatMap(([tag, { vr, Value = [] }]) => {
      const keyword = entryOf(tag)?.keyword;
      return keyword ? [[keyword, vr === 'SQ' ? Value.filter(isItem).map(elementsOf) : valuesIn(Value)]] : [];
    }),
  );

/** All spellings of a person name, as DICOM writes them (PS3.5 §6.2.1). */
export const personNameText = ({ Alphabetic = '', Ideographic = '', Phonetic = '' }: PersonName): string =>
  [Alphabetic, Ideographic, Phonetic].join('=').replace(/(?<!=)=+$/, '');

const valuesIn = (values: readonly DicomValue[]): ElementValue =>
  values.map((value) => {
    if (typeof value === 'string' || typeof value === 'number') return value;
    return value !== null && isName(value) ? personNameText(value) : '';
  });

export const isName = (value: object): value is PersonName =>
  'Alphabetic' in value || 'Ideographic' in value || 'Phonetic' in value;

const isItem = (value: DicomValue): value is DicomJson => typeof value === 'object' && value !== null && !isName(value);
