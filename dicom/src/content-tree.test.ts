import { expect, test } from 'vitest';
import { type ContentItem, contentTree } from './content-tree.ts';
import type { DicomElement, DicomJson } from './dataset.ts';

const text = (vr: string, value: string): DicomElement => ({ vr, Value: [value] });
const code = (value: string, meaning?: string): DicomElement => ({
  vr: 'SQ',
  Value: [{ '00080100': text('SH', value), ...(meaning && { '00080104': text('LO', meaning) }) }],
});

const item = (valueType: string, more: DicomJson = {}): DicomJson => ({ '0040A040': text('CS', valueType), ...more });
const report = (...items: DicomJson[]): DicomJson => item('CONTAINER', { '0040A730': { vr: 'SQ', Value: items } });
const first = (root: DicomJson): ContentItem | undefined => contentTree(root).children[0];

const number = (value: string, unit: DicomElement): DicomJson => ({
  '0040A300': { vr: 'SQ', Value: [{ '0040A30A': text('DS', value), '004008EA': unit }] },
});

test('a number in a report has its unit as a symbol and as text', () => {
  const node = first(
    report(item('NUM', { '0040A043': code('1', 'Length'), ...number('12.5', code('mm', 'millimeter')) })),
  );

  expect(node).toMatchObject({
    name: 'Length',
    value: '12.5 mm',
    measure: { number: '12.5', symbol: 'mm', unit: 'millimeter' },
  });
  expect(node?.fault).toBeUndefined();
});

test('a number in a report may have no unit, and a number that was not measured has a reason', () => {
  expect(first(report(item('NUM', number('3', code('1', 'no units')))))?.value).toBe('3');
  expect(first(report(item('NUM', { '0040A301': code('114003', 'Numerator not available') })))).toMatchObject({
    value: 'Numerator not available',
  });
});

test('a number from a failed measurement is marked as failed', () => {
  const failed = { ...number('0', code('mm', 'millimeter')), '0040A301': code('114006', 'Measurement failure') };

  expect(first(report(item('NUM', failed)))).toMatchObject({
    value: '0 mm (Measurement failure)',
    measure: { number: '0', qualifier: 'Measurement failure' },
  });
});

test('a unit without a number is no value', () => {
  const node = first(report(item('NUM', number('', code('mm', 'millimeter')))));

  expect(node).toMatchObject({ value: '', fault: 'No value' });
  expect(node?.measure).toBeUndefined();
});

test('a reference in a report contains class, instance and frames', () => {
  const reference = {
    '00081150': text('UI', '1.2.840.10008.5.1.4.1.1.2'),
    '00081155': text('UI', '2.25.7'),
    '00081160': { vr: 'IS', Value: [3, '4'] },
  };

  expect(first(report(item('IMAGE', { '00081199': { vr: 'SQ', Value: [reference] } })))).toMatchObject({
    value: '2.25.7, frame 3, 4',
    references: [{ sopClassUID: '1.2.840.10008.5.1.4.1.1.2', sopInstanceUID: '2.25.7', frames: [3, 4] }],
  });
});

test('faulty content of a report is reported at its position', () => {
  const faults = contentTree(
    report(
      item('TEXT'),
      item('TABLE'),
      {},
      item('TEXT', { '0040A160': { vr: 'UT', BulkDataURI: 'bulkdata/0040A160' } }),
      item('IMAGE'),
      item('CONTAINER'),
    ),
  ).children.map(({ fault }) => fault);

  expect(faults).toEqual([
    'No value',
    'Content of the unknown type TABLE',
    'Content without a type',
    'Too long to show',
    'No value',
    undefined,
  ]);
});

test('report content beyond the limits is cut, and a note at the end says so', () => {
  const deep = (levels: number): DicomJson => (levels === 0 ? item('TEXT') : report(deep(levels - 1)));
  const depthOf = ({ children }: ContentItem): number => 1 + Math.max(0, ...children.map(depthOf));
  const wide = contentTree(report(item('TEXT'), item('TEXT'), item('TEXT')), { depth: 5, items: 2 });

  expect(wide.children.map(({ fault }) => fault)).toEqual(['No value', 'No value', 'Further content is not shown']);
  expect(depthOf(contentTree(deep(200), { depth: 5, items: 1000 }))).toBe(7);
});

test('references count toward the limit of a report, and a note says that they were cut', () => {
  const reference = (at: number): DicomJson => ({ '00081155': text('UI', `2.25.${at}`) });
  const many = item('IMAGE', {
    '00081199': { vr: 'SQ', Value: Array.from({ length: 120_000 }, (_, at) => reference(at)) },
  });
  const { children } = contentTree(report(many, item('TEXT')));

  expect(children[0]?.references).toHaveLength(19_999);
  expect(children[0]?.children.map(({ fault }) => fault)).toEqual(['Refers to further content that is not shown']);
  expect(children[1]?.fault).toBe('Further content is not shown');
});

test('lists the first of many referenced frames and counts the others', () => {
  const frames = Array.from({ length: 100_000 }, (_, at) => at + 1);
  const reference = { '00081155': text('UI', '2.25.7'), '00081160': { vr: 'IS', Value: frames } };

  expect(first(report(item('IMAGE', { '00081199': { vr: 'SQ', Value: [reference] } })))?.value).toMatch(
    /^2\.25\.7, frame 1, 2, .* 20 and 99980 more$/,
  );
});
