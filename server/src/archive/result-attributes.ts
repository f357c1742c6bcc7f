import type { DicomJson, DicomValue } from '@radwork/dicom/dataset';
import { entryOf, type Tag, tagOf } from '@radwork/dicom/dictionary';
import { isItem, orderedJson } from './instance-metadata.ts';

/**
 * What results say of one attribute: the values that it has for a row of the database, none when it is empty, undefined
 * when it is left out. Its element as text is the same for all rows up to its values.
 */
export type Attribute<Row> = {
  tag: Tag;
  vr: string;
  beginning: string;
  valuesOf: (row: Row) => DicomValue[] | undefined;
};

type Value = DicomValue | undefined;

const attribute = <Row>(keyword: string, valuesOf: Attribute<Row>['valuesOf']): Attribute<Row> => {
  const tag = tagOf(keyword);
  const vr = entryOf(tag)?.vr ?? 'UN';
  return { tag, vr, beginning: `"${tag}":{"vr":"${vr}"`, valuesOf };
};

/** An attribute that is always there, empty when it has no value. */
export const required = <Row>(keyword: string, valueOf: (row: Row) => Value): Attribute<Row> =>
  attribute(keyword, (row) => {
    const value = valueOf(row);
    return isPresent(value) ? [value] : [];
  });

/** An attribute that is always there, with any number of values. */
export const requiredList = <Row>(keyword: string, valuesOf: (row: Row) => readonly Value[]): Attribute<Row> =>
  attribute(keyword, (row) => valuesOf(row).filter(isPresent));

/** An attribute that is left out when it has no value. */
export const optional = <Row>(keyword: string, valueOf: (row: Row) => Value): Attribute<Row> =>
  attribute(keyword, (row) => {
    const value = valueOf(row);
    return isPresent(value) ? [value] : undefined;
  });

/** A sequence with an item for each of a list of things, left out when there are none. */
export const optionalSequence = <Row, Thing>(
  keyword: string,
  thingsOf: (row: Row) => readonly Thing[],
  itemAttributes: readonly Attribute<Thing>[],
): Attribute<Row> =>
  attribute(keyword, (row) => {
    const things = thingsOf(row);
    return things.length > 0 ? things.map((thing) => resultOf(itemAttributes, thing)) : undefined;
  });

const isPresent = (value: Value): value is DicomValue => value !== undefined && value !== null && value !== '';

/** A result as a data set. */
export const resultOf = <Row>(attributes: readonly Attribute<Row>[], row: Row): DicomJson => {
  const result: DicomJson = {};
  for (const { tag, vr, valuesOf } of attributes) {
    const values = valuesOf(row);
    if (values) result[tag] = values.length > 0 ? { vr, Value: values } : { vr };
  }
  return result;
};

/**
 * The text that `orderedJson` makes of the same result, of attributes that are in the order of their tags. A page has
 * hundreds of elements, and not making objects of them first saves most of the time that it takes (decision 0009).
 */
export const resultText = <Row>(attributes: readonly Attribute<Row>[], row: Row): string => {
  let text = '{';
  for (const { vr, beginning, valuesOf } of attributes) {
    const values = valuesOf(row);
    if (!values) continue;
    if (text !== '{') text += ',';
    text += values.length === 0 ? `${beginning}}` : `${beginning},"Value":${valuesText(vr, values)}}`;
  }
  return `${text}}`;
};

const valuesText = (vr: string, values: DicomValue[]): string =>
  vr === 'SQ'
    ? `[${values.map((value) => (isItem(value) ? orderedJson(value) : 'null')).join(',')}]`
    : JSON.stringify(values);
