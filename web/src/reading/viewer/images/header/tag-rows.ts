import { plural, t } from '@lingui/core/macro';
import type { DicomJson } from './dicom-json.ts';

/** Row of a header list: an element, or the start of a sequence item. */
export type TagRow = {
  /** Path of tags, unique within the header. */
  path: string;
  /** Number of sequences around the element. */
  depth: number;
  /** Tag such as "(0010,0010)"; '' for the start of an item. */
  tag: string;
  vr: string;
  /** Name such as "Patient Name", "Private: SIEMENS CSA HEADER", "Item 2". */
  name: string;
  value: string;
};

/** Returns the keyword of a tag with eight digits (PS3.6). Undefined if the tag has no keyword. */
export type KeywordOf = (tag: string) => string | undefined;

/** Converts "SOPInstanceUID" to "SOP Instance UID". */
const inWords = (keyword: string): string =>
  keyword.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2');

/** Returns the private creator that reserved the block to which an element belongs (PS3.5 §7.8.1); '' if missing. */
const creatorOf = (tag: string, header: DicomJson): string => {
  const [creator] = header[`${tag.slice(0, 4)}00${tag.slice(4, 6)}`]?.Value ?? [];
  return typeof creator === 'string' ? creator.trim() : '';
};

const isPrivate = (tag: string): boolean => parseInt(tag.slice(3, 4), 16) % 2 === 1;

const nameOf = (tag: string, header: DicomJson, keywordOf: KeywordOf): string => {
  if (!isPrivate(tag)) return inWords(keywordOf(tag) ?? t`Unknown`);
  if (/^00[1-9A-F]/.test(tag.slice(4))) return t`Private creator`;
  const creator = creatorOf(tag, header);
  return creator ? t`Private: ${creator}` : t`Private`;
};

/** Forms in which a person name can be written (PS3.18 §F.2.2). */
const writings = ['Alphabetic', 'Ideographic', 'Phonetic'];

const textOfValue = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null) return '';
  const names = Object.entries(value).filter(([writing]) => writings.includes(writing));
  return names.length > 0 ? names.map(([, name]) => String(name)).join(' = ') : JSON.stringify(value);
};

type Element = DicomJson[string];

const itemsIn = ({ vr, Value = [] }: Element): DicomJson[] =>
  vr === 'SQ' ? Value.filter((item): item is DicomJson => typeof item === 'object' && item !== null) : [];

const textOf = (element: Element): string => {
  const items = itemsIn(element).length;
  if (element.vr === 'SQ') return t`${plural(items, { one: '# item', other: '# items' })}`;
  if (element.BulkDataURI !== undefined) return t`Stored outside the header`;
  const { InlineBinary } = element;
  if (InlineBinary !== undefined) {
    const padding = InlineBinary.endsWith('==') ? 2 : Number(InlineBinary.endsWith('='));
    const bytes = (InlineBinary.length / 4) * 3 - padding;
    return t`${plural(bytes, { one: '# byte', other: '# bytes' })} of binary data`;
  }
  return (element.Value ?? []).map(textOfValue).join(' \\ ');
};

/** Lists all elements of a header in tag order. Includes items of sequences and private elements. */
export const tagRows = (header: DicomJson, keywordOf: KeywordOf, depth = 0, within = ''): TagRow[] =>
  Object.keys(header)
    .toSorted()
    .flatMap((tag) => {
      const element = header[tag];
      if (!element) return [];
      const path = `${within}${tag}`;
      const own = {
        path,
        depth,
        tag: `(${tag.slice(0, 4)},${tag.slice(4)})`,
        vr: element.vr,
        name: nameOf(tag, header, keywordOf),
        value: textOf(element),
      };
      const items = itemsIn(element).flatMap((item, at) => {
        const number = at + 1;
        const place = `${path}[${number}]`;
        const head = { path: place, depth: depth + 1, tag: '', vr: '', name: t`Item ${number}`, value: '' };
        return [head, ...tagRows(item, keywordOf, depth + 1, `${place}.`)];
      });
      return [own, ...items];
    });

/** Whether a row matches a search. Searches name, tag (with or without brackets and comma), VR and value. */
export const isFound = ({ tag, name, value, vr }: TagRow, searched: string): boolean => {
  const words = searched.trim().toLowerCase();
  if (words === '') return true;
  const digits = words.replaceAll(/[(),\s]/g, '');
  return (
    `${name} ${name.replaceAll(' ', '')} ${value}`.toLowerCase().includes(words) ||
    vr.toLowerCase() === words ||
    (/^[\da-f]{4,8}$/.test(digits) && tag.replaceAll(/[(),]/g, '').toLowerCase().includes(digits))
  );
};

/** Formats rows as text: tag, VR, name and value, separated by tabs. */
export const asText = (rows: readonly TagRow[]): string =>
  rows.map(({ tag, vr, name, value, depth }) => [`${'>'.repeat(depth)}${tag}`, vr, name, value].join('\t')).join('\n');
