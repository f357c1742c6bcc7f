import type { DicomJson, DicomValue } from '@radwork/dicom/dataset';
import { entryOf, type Tag, tagOf } from '@radwork/dicom/dictionary';
import { isItem, orderedJson } from '#imaging/archive/header/instance-metadata.ts';

/**
 * An attribute of search results. `valuesOf` returns its values in a row: an empty list for an empty attribute,
 * undefined to leave the attribute out. `beginning` is the JSON text before the values, the same in all rows.
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

/** Creates an attribute that is always present. Without a value it is empty. */
export const required = <Row>(keyword: string, valueOf: (row: Row) => Value): Attribute<Row> =>
  attribute(keyword, (row) => {
    const value = valueOf(row);
    return isPresent(value) ? [value] : [];
  });

/** Creates an attribute that is always present and has any number of values. */
export const requiredList = <Row>(keyword: string, valuesOf: (row: Row) => readonly Value[]): Attribute<Row> =>
  attribute(keyword, (row) => valuesOf(row).filter(isPresent));

/** Creates an attribute that is left out when it has no value. */
export const optional = <Row>(keyword: string, valueOf: (row: Row) => Value): Attribute<Row> =>
  attribute(keyword, (row) => {
    const value = valueOf(row);
    return isPresent(value) ? [value] : undefined;
  });

/** Creates a sequence with an item for each element of a list. It is left out when the list is empty. */
export const optionalSequence = <Row, Thing>(
  keyword: string,
  thingsOf: (row: Row) => readonly Thing[],
  itemAttributes: readonly Attribute<Thing>[],
): Attribute<Row> =>
  attribute(keyword, (row) => {
    const items = thingsOf(row);
    return items.length > 0 ? items.map((item) => resultOf(itemAttributes, item)) : undefined;
  });

const isPresent = (value: Value): value is DicomValue => value !== undefined && value !== null && value !== '';

/** Returns a result as a data set. */
export const resultOf = <Row>(attributes: readonly Attribute<Row>[], row: Row): DicomJson => {
  const result: DicomJson = {};
  for (const { tag, vr, valuesOf } of attributes) {
    const values = valuesOf(row);
    if (values) result[tag] = values.length > 0 ? { vr, Value: values } : { vr };
  }
  return result;
};

/**
 * Returns the text that `orderedJson` would make of the same result, for attributes in tag order. No objects are
 * created for this text, which saves most of the time for a page with hundreds of results (decision 0009).
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
