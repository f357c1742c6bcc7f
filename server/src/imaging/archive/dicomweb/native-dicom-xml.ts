import type { DicomElement, DicomJson, DicomValue, PersonName } from '@radwork/dicom/dataset';
import { entryOf } from '@radwork/dicom/dictionary';
import { partHeader } from '@radwork/dicom/multipart';
import { xmlType } from './result-media-type.ts';

/** Returns a data set in the Native DICOM Model (PS3.19 §A.1), the content of application/dicom+xml. */
export const dicomXml = (json: DicomJson): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<NativeDicomModel xmlns="http://dicom.nema.org/PS3.19/models/NativeDICOM" xml:space="preserve">',
    attributes(json),
    '</NativeDicomModel>',
  ].join('');

/** Returns a data set as one part of a multipart message (PS3.18 §8.7.3.2). */
export const xmlPart = (boundary: string, json: DicomJson): Buffer =>
  Buffer.concat([partHeader({ boundary, contentType: xmlType }), Buffer.from(dicomXml(json))]);

const attributes = (json: DicomJson): string =>
  Object.keys(json)
    .toSorted()
    .map((tag) => attribute(tag, json))
    .join('');

const attribute = (tag: string, json: DicomJson): string => {
  const element = json[tag];
  if (!element) return '';
  const keyword = entryOf(tag)?.keyword;
  const creator = privateCreator(tag, json);
  const xmlAttributes = [
    `tag="${creator === undefined ? tag : `${tag.slice(0, 4)}00${tag.slice(6)}`}"`,
    `vr="${escaped(element.vr)}"`,
    ...(keyword ? [`keyword="${keyword}"`] : []),
    ...(creator === undefined ? [] : [`privateCreator="${escaped(creator)}"`]),
  ];
  return `<DicomAttribute ${xmlAttributes.join(' ')}>${content(element)}</DicomAttribute>`;
};

/** Returns the creator whose block contains a private element (PS3.5 §7.8.1). */
const privateCreator = (tag: string, json: DicomJson): string | undefined => {
  const isPrivate = /^...[13579BDF]/.test(tag) && !tag.startsWith('00', 4);
  const [creator] = isPrivate ? (json[`${tag.slice(0, 4)}00${tag.slice(4, 6)}`]?.Value ?? []) : [];
  return typeof creator === 'string' ? creator : undefined;
};

const content = ({ vr, Value, InlineBinary, BulkDataURI }: DicomElement): string => {
  if (BulkDataURI !== undefined) return `<BulkData uri="${escaped(BulkDataURI)}"/>`;
  if (InlineBinary !== undefined) return `<InlineBinary>${InlineBinary}</InlineBinary>`;
  return (Value ?? []).map((value, index) => numbered(value, vr, index + 1)).join('');
};

const numbered = (value: DicomValue, vr: string, number: number): string => {
  if (value === null) return vr === 'SQ' ? `<Item number="${number}"/>` : '';
  if (typeof value !== 'object') return `<Value number="${number}">${escaped(String(value))}</Value>`;
  if (isName(value, vr)) return `<PersonName number="${number}">${spellings(value)}</PersonName>`;
  return `<Item number="${number}">${attributes(value)}</Item>`;
};

const isName = (value: PersonName | DicomJson, vr: string): value is PersonName => vr === 'PN' && value !== null;

const spellings = (name: PersonName): string =>
  (['Alphabetic', 'Ideographic', 'Phonetic'] as const)
    .map((group) => (name[group] ? `<${group}>${components(name[group])}</${group}>` : ''))
    .join('');

const componentNames = ['FamilyName', 'GivenName', 'MiddleName', 'NamePrefix', 'NameSuffix'];

const components = (group: string): string =>
  group
    .split('^', componentNames.length)
    .map((text, index) => (text === '' ? '' : `<${componentNames[index]}>${escaped(text)}</${componentNames[index]}>`))
    .join('');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

/**
 * Escapes text for tags and quotes, and drops characters that XML cannot contain (XML 1.0 §2.2). An unescaped carriage
 * return would be read as a line feed (§2.11).
 */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"\r]/g, (character) => entities[character] ?? '');
