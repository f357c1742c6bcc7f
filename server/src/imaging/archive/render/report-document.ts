import { type DicomJson, textOf } from '@radwork/dicom/dataset';
import { tagOf } from '@radwork/dicom/dictionary';
import { type ContentItem, contentTree } from '@radwork/dicom/content-tree';

/** Returns whether an instance is a structured report (PS3.3 §C.17.3). */
export const isReport = (metadata: DicomJson): boolean =>
  metadata[tagOf('ContentSequence')] !== undefined && textOf(metadata, 'ValueType') === 'CONTAINER';

/** Returns patient and status of a report. The content tree does not contain them. */
const factsOf = (metadata: DicomJson): [name: string, value: string][] =>
  [
    ['Patient', (textOf(metadata, 'PatientName') ?? '').replaceAll('^', ' ').trim()],
    ['Patient ID', textOf(metadata, 'PatientID') ?? ''],
    ['Study date', textOf(metadata, 'StudyDate') ?? ''],
    ['Completion', textOf(metadata, 'CompletionFlag') ?? ''],
    ['Verification', textOf(metadata, 'VerificationFlag') ?? ''],
  ].flatMap(([name = '', value = '']): [string, string][] => (value === '' ? [] : [[name, value]]));

const labelOf = ({ name, value }: ContentItem): string => [name, value].filter((part) => part !== '').join(': ');

/** Returns a structured report as plain text: one line for each item, indented under its parent. */
export const reportAsText = (metadata: DicomJson): string => {
  const lines = (item: ContentItem, depth: number): string[] => [
    `${'  '.repeat(depth)}${labelOf(item).replaceAll(/\s+/g, ' ')}`,
    ...item.children.flatMap((child) => lines(child, depth + 1)),
  ];
  const facts = factsOf(metadata).map(([name, value]) => `${name}: ${value}`);
  return `${[...facts, '', ...lines(contentTree(metadata), 0)].join('\n')}\n`;
};

/** Returns a structured report as a page of nested lists. Escapes all text, because it comes from a file. */
export const reportAsHtml = (metadata: DicomJson): string => {
  const tree = contentTree(metadata);
  const list = (items: ContentItem[]): string =>
    items.length === 0
      ? ''
      : `<ul>${items.map((item) => `<li>${itemAsHtml(item)}${list(item.children)}</li>`).join('')}</ul>`;
  const facts = factsOf(metadata).map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`);
  const title = escaped(tree.name || 'Structured report');
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<title>${title}</title>`,
    '<style>body{font-family:sans-serif}dt{float:left;clear:left;margin-right:.5em;font-weight:bold}</style>',
    `</head><body><h1>${title}</h1><dl>${facts.join('')}</dl>${list(tree.children)}</body></html>`,
  ].join('');
};

const itemAsHtml = ({ name, value }: ContentItem): string => {
  const label = name === '' ? '' : `<b>${escaped(name)}</b>`;
  return [label, escaped(value)].filter((part) => part !== '').join(': ');
};

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
