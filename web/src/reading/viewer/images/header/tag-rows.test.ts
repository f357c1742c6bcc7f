import { expect, test } from 'vitest';
import type { DicomJson } from './dicom-json.ts';
import { asText, isFound, tagRows } from './tag-rows.ts';

const keywords: Record<string, string> = {
  '00080018': 'SOPInstanceUID',
  '00081140': 'ReferencedImageSequence',
  '00081155': 'ReferencedSOPInstanceUID',
  '00100010': 'PatientName',
  '00280030': 'PixelSpacing',
};

const header: DicomJson = {
  '00280030': { vr: 'DS', Value: [0.5, 0.25] },
  '00100010': { vr: 'PN', Value: [{ Alphabetic: 'Yamada^Tarou', Ideographic: '山田^太郎' }] },
  '00081140': { vr: 'SQ', Value: [{ '00081155': { vr: 'UI', Value: ['1.2.3'] } }, {}] },
  '00080018': { vr: 'UI', Value: ['9.8.7'] },
  '00290010': { vr: 'LO', Value: ['SIEMENS CSA HEADER'] },
  '00291010': { vr: 'OB', InlineBinary: 'AAAAAAA=' },
  '00291120': { vr: 'UN', BulkDataURI: 'x' },
};
const rows = tagRows(header, (tag) => keywords[tag]);

test('the tag list shows a header by tag, with the items of its sequences', () => {
  expect(rows.map(({ depth, tag, name, value }) => [depth, tag, name, value])).toEqual([
    [0, '(0008,0018)', 'SOP Instance UID', '9.8.7'],
    [0, '(0008,1140)', 'Referenced Image Sequence', '2 items'],
    [1, '', 'Item 1', ''],
    [1, '(0008,1155)', 'Referenced SOP Instance UID', '1.2.3'],
    [1, '', 'Item 2', ''],
    [0, '(0010,0010)', 'Patient Name', 'Yamada^Tarou = 山田^太郎'],
    [0, '(0028,0030)', 'Pixel Spacing', '0.5 \\ 0.25'],
    [0, '(0029,0010)', 'Private creator', 'SIEMENS CSA HEADER'],
    [0, '(0029,1010)', 'Private: SIEMENS CSA HEADER', '5 bytes of binary data'],
    [0, '(0029,1120)', 'Private', 'Stored outside the header'],
  ]);
  expect(new Set(rows.map(({ path }) => path)).size).toBe(rows.length);
});

test.each([
  ['pixel spacing', 'Pixel Spacing'],
  ['PixelSpacing', 'Pixel Spacing'],
  ['(0028,0030)', 'Pixel Spacing'],
  ['00280030', 'Pixel Spacing'],
  ['yamada', 'Patient Name'],
  ['siemens', 'Private creator'],
])('a search for %s finds its row in the tag list', (searched, name) => {
  expect(rows.filter((row) => isFound(row, searched)).map((row) => row.name)).toContain(name);
  expect(rows.filter((row) => isFound(row, searched)).length).toBeLessThan(3);
});

test('rows of the tag list are copied with their indentation', () => {
  expect(asText(rows.slice(1, 4))).toBe(
    '(0008,1140)\tSQ\tReferenced Image Sequence\t2 items\n>\t\tItem 1\t\n>(0008,1155)\tUI\tReferenced SOP Instance UID\t1.2.3',
  );
});
