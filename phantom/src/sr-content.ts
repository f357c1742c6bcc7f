import type { Elements } from '@radwork/dicom/part10';
import type { Code } from './study.ts';

/** Content items of structured reports (PS3.3 §C.17.3). */

export const dicomCode = (CodeValue: string, CodeMeaning: string): Code => ({
  CodeValue,
  CodingSchemeDesignator: 'DCM',
  CodeMeaning,
});

export const unit = (ucum: string): Code => ({
  CodeValue: ucum,
  CodingSchemeDesignator: 'UCUM',
  CodeMeaning: ucum,
});

export const contains = (name: Code, items: readonly Elements[]): Elements => ({
  RelationshipType: 'CONTAINS',
  ValueType: 'CONTAINER',
  ConceptNameCodeSequence: [name],
  ContinuityOfContent: 'SEPARATE',
  ContentSequence: items,
});

export const measured = (name: Code, value: number, units: Code): Elements => ({
  RelationshipType: 'CONTAINS',
  ValueType: 'NUM',
  ConceptNameCodeSequence: [name],
  MeasuredValueSequence: [{ NumericValue: value, MeasurementUnitsCodeSequence: [units] }],
});

export const coded = (relationship: string, name: Code, value: Code): Elements => ({
  RelationshipType: relationship,
  ValueType: 'CODE',
  ConceptNameCodeSequence: [name],
  ConceptCodeSequence: [value],
});
