import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { actionOf } from './confidentiality-profile.ts';
import { profileTable } from './confidentiality-table.ts';
import { textOf, type DicomJson, type DicomValue } from './dataset.ts';
import { deidentifyFile } from './deidentify-file.ts';
import { entryOf, tagOf, type Tag } from './dictionary.ts';
import { DicomError } from './dicom-error.ts';
import { readHeader, type Header } from './header.ts';
import { writePart10, type Elements, type ElementValue } from './part10.ts';
import { readRawBlob } from './raw-blob.ts';
import { ReplacedUids } from './replaced-uids.ts';
import { sampleDataset, sampleFile, sampleJpeg, samplePixels } from './sample-files.ts';
import { explicitBigEndian, explicitLittleEndian, implicitLittleEndian } from './transfer-syntax.ts';
import { mayShowText } from './deidentification-limits.ts';

const pseudonym = { patientName: 'ANON-7K2M', patientId: 'ANON-7K2M' };

/** The de-identified file, as bytes and as the archive reads it. */
const deidentified = async (file: Buffer, uids = new ReplacedUids()) => {
  const { blob, changes } = await deidentifyFile(new Blob([new Uint8Array(file)]), { pseudonym, uids });
  const bytes = Buffer.from(await blob.arrayBuffer());
  return { bytes, changes, header: readHeader(bytes) };
};

const secret = 'Geheimnis';

/** An identifying value that is valid for the VR. */
const tellingValue = (vr: string): ElementValue => {
  if (['US', 'SS', 'UL', 'SL', 'FL', 'FD', 'SV', 'UV', 'US|SS'].includes(vr)) return 4711;
  if (vr === 'IS' || vr === 'DS') return '4711';
  if (vr === 'UI') return '1.3.6.1.4.1.4711.42';
  if (vr === 'DA') return '19470815';
  if (vr === 'TM') return '081547';
  if (vr === 'DT') return '19470815081547';
  if (vr === 'AS') return '047Y';
  if (vr === 'AT') return '47110815';
  if (vr === 'SQ') return [{ PatientComments: secret, PersonName: secret, ReferencedSOPInstanceUID: '1.2.4711.1' }];
  return ['OB', 'OW', 'UN', 'OF', 'OD', 'OL', 'OV'].some((binary) => vr.includes(binary))
    ? Buffer.from(`${secret}${secret}`.slice(0, 16))
    : secret;
};

const identifiers = ['Geheimnis', '19470815', '081547', '4711', '047Y'];

const tableTags = profileTable
  .trim()
  .split('\n')
  .map((line) => line.split(' '))
  .map(([tag = '']) => tag.replaceAll('x', '0'));

/** Every attribute of the table that this data set can hold. It is neither a document nor a report. */
const attributesOfTable = tableTags.flatMap((tag) => {
  const entry = entryOf(tag);
  const isLeftOut = ['0040A730', '00420011'].includes(tag) || tag < '00080000' || tag > '7FE00010';
  return entry && !isLeftOut ? [{ tag, vr: entry.vr.split('|').at(-1) ?? entry.vr }] : [];
});

const fileOfTable = (transferSyntaxUID: string) => {
  const attributes = attributesOfTable.map(({ tag, vr }) => [`${tag} ${vr}`, tellingValue(vr)]);
  const inTable = new Set(attributesOfTable.map(({ tag }) => tag));
  const image = Object.entries(sampleDataset).filter(([keyword]) => !inTable.has(tagOf(keyword)));
  const dataset = Object.fromEntries([...image, ...attributes]);
  return writePart10({ transferSyntaxUID, dataset, pixelData: samplePixels });
};

test.each([
  ['implicit VR little endian', implicitLittleEndian.uid],
  ['explicit VR little endian', explicitLittleEndian.uid],
  ['explicit VR big endian', explicitBigEndian.uid],
])('no attribute of the confidentiality table keeps its value in %s', async (_, transferSyntaxUID) => {
  const file = fileOfTable(transferSyntaxUID);

  const { bytes, header } = await deidentified(file);

  // Random digits of a new UID could match a word by accident.
  const text = bytes.toString('latin1').replaceAll(/2\.25\.\d+/g, '');
  for (const word of identifiers) expect({ word, isThere: text.includes(word) }).toEqual({ word, isThere: false });
  for (const { tag } of attributesOfTable) {
    const isThere = tag in header.dataset;
    expect({ tag, isThere }).toEqual({ tag, isThere: actionOf(tag) !== 'remove' || tag === '00120063' });
  }
  expect(header.transferSyntaxUID).toBe(transferSyntaxUID);
});

test('de-identification removes identifying attributes that no table lists', async () => {
  const identifyingAttributes = {
    '00080051 SQ': [{ LocalNamespaceEntityID: secret }],
    '00100024 SQ': [{ UniversalEntityID: secret }],
    '00100033 LO': '24870612',
    '00100034 LO': '25620101',
    '00100035 CS': 'BUDDHIST',
    '00400026 SQ': [{ LocalNamespaceEntityID: secret }],
    '00400027 SQ': [{ UniversalEntityID: secret }],
    '00401006 SH': secret,
    '00401007 SH': secret,
    '00402006 SH': secret,
    '00402007 SH': secret,
    WaveformAnnotationSequence: [{ UnformattedTextValue: `${secret} *12.06.1944`, AnnotationGroupNumber: 1 }],
    '60000010 US': 16,
    '60000011 US': 16,
    '60000022 LO': secret,
    '60000040 CS': 'G',
    '60000100 US': 1,
    '60000102 US': 0,
    '60003000 OW': Buffer.alloc(32, 0xff),
  };

  const { bytes, header } = await deidentified(sampleFile(identifyingAttributes));

  for (const word of [secret, '24870612', '25620101', 'BUDDHIST', '1944']) {
    expect({ word, isThere: bytes.includes(word) }).toEqual({ word, isThere: false });
  }
  expect(Object.keys(header.dataset).filter((tag) => tag.startsWith('60'))).toEqual([]);
  expect(header.dataset[tagOf('WaveformAnnotationSequence')]?.Value).toHaveLength(1);
});

test('de-identification removes typed sentences that no table lists', async () => {
  const sentences = {
    '00240044 LT': secret,
    '00400400 LT': secret,
    '00440106 UT': secret,
    '00660004 LT': secret,
    '00700081 LO': secret,
    '00741006 ST': secret,
    '0074100A UR': `tel:${secret}`,
    '0074100C LO': secret,
    '30020002 SH': secret,
    '30020003 LO': secret,
    '30020004 ST': secret,
    '30040006 LO': secret,
    '300600C8 LO': secret,
    '30080066 ST': secret,
    '30080202 ST': secret,
    '300A0402 ST': secret,
    '40080103 LO': secret,
    PerformedProtocolCodeSequence: [{ CodeValue: 'CTHEAD', ProtocolContextSequence: [{ TextValue: secret }] }],
  };

  const { bytes, header } = await deidentified(sampleFile(sentences));

  expect(bytes.includes(secret)).toBe(false);
  expect(bytes.includes('CTHEAD')).toBe(true);
  // Image labels and content descriptions are required (PS3.3 C.8.8.2, C.10.7).
  expect(textOf(header.dataset, 'RTImageLabel')).toBe('ANONYMIZED');
  expect(header.dataset).toHaveProperty(tagOf('ContentDescription'));
});

test('de-identification replaces the patient by the pseudonym and records the method', async () => {
  const { header } = await deidentified(sampleFile({ StudyDate: '20261120', PatientBirthDate: '19470815' }));

  expect(textOf(header.dataset, 'PatientName')).toBe('ANON-7K2M');
  expect(textOf(header.dataset, 'PatientID')).toBe('ANON-7K2M');
  expect(textOf(header.dataset, 'PatientBirthDate')).toBeUndefined();
  expect(textOf(header.dataset, 'StudyDate')).toBeUndefined();
  expect(textOf(header.dataset, 'PatientIdentityRemoved')).toBe('YES');
  expect(textOf(header.dataset, 'DeidentificationMethod')).toMatch(/^.{1,64}$/);
  expect(header.dataset['00120064']?.Value).toEqual([
    {
      '00080100': { vr: 'SH', Value: ['113100'] },
      '00080102': { vr: 'SH', Value: ['DCM'] },
      '00080104': { vr: 'LO', Value: ['Basic Application Confidentiality Profile'] },
    },
  ]);
  expect(header.dataset['00280303']?.Value).toEqual(['REMOVED']);
});

test('de-identification adds the pseudonym to a file without name or ID', async () => {
  const { header } = await deidentified(sampleFile({ PatientName: undefined, PatientID: undefined }));

  expect(textOf(header.dataset, 'PatientName')).toBe('ANON-7K2M');
  expect(textOf(header.dataset, 'PatientID')).toBe('ANON-7K2M');
});

test('de-identification keeps the files of a study together and their references valid', async () => {
  const uids = new ReplacedUids();
  const image = await deidentified(sampleFile(), uids);
  const segmentation = await deidentified(
    sampleFile({
      SOPInstanceUID: '2.25.200',
      SeriesInstanceUID: '2.25.201',
      SourceImageSequence: [{ ReferencedSOPClassUID: sampleDataset.SOPClassUID, ReferencedSOPInstanceUID: '2.25.103' }],
    }),
    uids,
  );

  expect(segmentation.header.studyInstanceUID).toBe(image.header.studyInstanceUID);
  expect(segmentation.header.seriesInstanceUID).not.toBe(image.header.seriesInstanceUID);
  expect(image.header.sopInstanceUID).toMatch(/^2\.25\.\d{30,39}$/);
  expect(segmentation.header.dataset['00082112']?.Value).toEqual([
    {
      '00081150': { vr: 'UI', Value: [sampleDataset.SOPClassUID] },
      '00081155': { vr: 'UI', Value: [image.header.sopInstanceUID] },
    },
  ]);
});

test('two uploads of one file get different UIDs', async () => {
  const [one, other] = [await deidentified(sampleFile()), await deidentified(sampleFile())];

  expect(one.header.studyInstanceUID).not.toBe(other.header.studyInstanceUID);
});

test('de-identification keeps well-known frames of reference', () => {
  const uids = new ReplacedUids();

  expect(uids.replace('1.2.840.10008.1.4.1.1')).toBe('1.2.840.10008.1.4.1.1');
  expect(uids.replace('1.2.840.10008.5.1.4.1.1.2.4711')).toMatch(/^2\.25\./);
});

test('de-identifying a file a second time changes nothing', async () => {
  const uids = new ReplacedUids();
  const first = await deidentified(fileOfTable(explicitLittleEndian.uid), uids);

  const second = await deidentified(first.bytes, uids);

  expect(second.bytes.equals(first.bytes)).toBe(true);
  expect(second.changes).toEqual([]);
});

test('de-identification removes private attributes and attributes unknown to PS3.6 at every level', async () => {
  const hidden: Elements = { '00091001 LO': secret, '00091010 OB': Buffer.from(secret), '0008FFF1 LO': secret };
  const { bytes, changes } = await deidentified(
    sampleFile({ ...hidden, ProcedureCodeSequence: [{ CodeValue: 'CTHEAD', ...hidden }] }),
  );

  expect(bytes.includes(secret)).toBe(false);
  expect(bytes.includes('CTHEAD')).toBe(true);
  expect(changes).toContainEqual({ attribute: 'Private attributes', kind: 'Removed', count: 4 });
  expect(changes).toContainEqual({ attribute: 'Unknown attributes', kind: 'Removed', count: 2 });
});

test.each([
  ['with another VR', explicitLittleEndian.uid, '00400260 OB', Buffer.from(secret)],
  [
    'of VR UN in a big endian file',
    explicitBigEndian.uid,
    '00400260 UN',
    Buffer.concat([Buffer.from('FFFEE00000000014001040000000000C', 'hex'), Buffer.from(`${secret}   `)]),
  ],
])(
  'if the items of a sequence cannot be read, de-identification removes the whole sequence (%s)',
  async (_, transferSyntaxUID, element, value) => {
    const file = writePart10({
      transferSyntaxUID,
      dataset: { ...sampleDataset, [element]: value },
      pixelData: samplePixels,
    });

    const { bytes, changes } = await deidentified(file);

    expect(bytes.includes(secret)).toBe(false);
    expect(changes).toContainEqual({ attribute: 'PerformedProtocolCodeSequence', kind: 'Removed', count: 1 });
  },
);

test('the list of changes names attributes and never their values', async () => {
  const { changes } = await deidentified(
    sampleFile({ PatientName: secret, AccessionNumber: secret, InstitutionAddress: secret }),
  );

  expect(changes).toContainEqual({ attribute: 'PatientName', kind: 'Replaced', count: 1 });
  expect(changes).toContainEqual({ attribute: 'AccessionNumber', kind: 'Emptied', count: 1 });
  expect(changes).toContainEqual({ attribute: 'InstitutionAddress', kind: 'Removed', count: 1 });
  expect(changes).toContainEqual({ attribute: 'StudyInstanceUID', kind: 'New UID', count: 1 });
  expect(JSON.stringify(changes)).not.toContain(secret);
});

test('the list of changes contains a sequence whose values were replaced by dummies', async () => {
  const uids = new ReplacedUids();
  const file = sampleFile({ InstitutionCodeSequence: [{ CodeValue: secret, CodeMeaning: secret }] });

  const { bytes, changes } = await deidentified(file, uids);
  const again = await deidentified(bytes, uids);

  expect(bytes.includes(secret)).toBe(false);
  expect(changes).toContainEqual({ attribute: 'InstitutionCodeSequence', kind: 'Replaced', count: 1 });
  expect(again.changes).toEqual([]);
});

test('de-identification keeps native and compressed pixels unchanged and drops all data after them', async () => {
  const frames = [Buffer.from([0xff, 0xd8, 1, 2]), Buffer.from([0xff, 0xd8, 3, 4])];
  const jpeg = Buffer.concat([sampleJpeg(frames), Buffer.from('FAFFFAFF', 'hex'), Buffer.from(secret)]);

  const native = await deidentified(sampleFile());
  const compressed = await deidentified(jpeg);

  expect(native.bytes.subarray(-samplePixels.length).equals(samplePixels)).toBe(true);
  expect(compressed.bytes.includes(Buffer.concat(frames.slice(0, 1)))).toBe(true);
  expect(compressed.bytes.subarray(-8).toString('hex')).toBe('feffdde000000000');
  expect(compressed.bytes.includes(secret)).toBe(false);
});

test.each([
  ['a structured report', { SOPClassUID: '1.2.840.10008.5.1.4.1.1.88.11' }, /structured report/],
  ['a dictation', { SOPClassUID: '1.2.840.10008.5.1.4.1.1.9.4.1' }, /voice recording/],
  ['a sound recording of another kind', { SOPClassUID: '1.2.840.10008.5.1.4.1.1.9.4.2' }, /voice recording/],
  ['a PDF', { SOPClassUID: '1.2.840.10008.5.1.4.1.1.104.1' }, /DICOM document/],
  ['a presentation state', { SOPClassUID: '1.2.840.10008.5.1.4.1.1.11.1' }, /presentation state/],
  ["an object of a manufacturer's own kind", { SOPClassUID: '1.3.12.2.1107.5.9.1' }, /proprietary object/],
  [
    'an image with an overlay in unused pixel bits',
    { '60020100 US': 1, '60020102 US': 12 },
    /overlay in unused pixel bits/,
  ],
  [
    'an image with an overlay in the lowest pixel bit',
    { '60000100 US': 16, '60000102 US': 0 },
    /overlay in unused pixel bits/,
  ],
  ['an image that contains a report', { ContentSequence: [{ TextValue: secret }] }, /Contains a report/],
])('de-identification refuses %s because no rule can clean it', async (_, elements, words) => {
  await expect(deidentified(sampleFile(elements))).rejects.toThrow(words);
});

test.each([
  ['a CT', {}, false],
  ['a dose page that a scanner stores as a CT', { ImageType: ['DERIVED', 'SECONDARY', 'SCREEN SAVE'] }, true],
  ['an ultrasound', { Modality: 'US' }, true],
  ['an ultrasound whose header denies burned-in text', { Modality: 'US', BurnedInAnnotation: 'NO' }, false],
  ['a CT whose header declares burned-in text', { BurnedInAnnotation: 'YES' }, true],
])('the check for burned-in text knows whether the pixels of %s may show names', async (_, elements, expected) => {
  const file = sampleFile({ Modality: 'CT', SOPClassUID: '1.2.840.10008.5.1.4.1.1.2', ...elements });

  expect(mayShowText(await readRawBlob(new Blob([new Uint8Array(file)])))).toBe(expected);
});

test('de-identification refuses a file with truncated pixel data', async () => {
  const file = sampleFile();

  await expect(deidentified(file.subarray(0, file.length - 4))).rejects.toThrow(DicomError);
});

const hasDcmtk = existsSync('/usr/bin/dcmdump') && existsSync('/usr/bin/dcmftest');

test.skipIf(!hasDcmtk)('dcmtk reads a de-identified file (skipped without dcmtk)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deidentified-'));
  try {
    for (const uid of [implicitLittleEndian.uid, explicitLittleEndian.uid, explicitBigEndian.uid]) {
      const path = join(folder, `${uid}.dcm`);
      writeFileSync(path, (await deidentified(fileOfTable(uid))).bytes);

      expect(execFileSync('dcmftest', [path], { encoding: 'utf8' })).toMatch(/^yes/);
      const dump = execFileSync('dcmdump', ['+P', 'PatientIdentityRemoved', path], { encoding: 'utf8' });
      expect(dump).toContain('[YES]');
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const refusalOf = (error: unknown): DicomError => {
  if (error instanceof DicomError) return error;
  throw error;
};

const readOrRefusal = (read: () => Header): Header | DicomError => {
  try {
    return read();
  } catch (error) {
    return refusalOf(error);
  }
};

const corpus = join(import.meta.dirname, '../../../shared/dicom');

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });

/** Names, IDs, dates and UIDs at every level, long enough to exclude accidental matches. */
const identifyingTexts = (dataset: DicomJson): string[] =>
  Object.entries(dataset).flatMap(([tag, { vr, Value = [] }]) => Value.flatMap((value) => textsIn(tag, vr, value)));

const textsIn = (tag: Tag, vr: string, value: DicomValue): string[] => {
  if (vr === 'SQ' && typeof value === 'object' && value !== null) return identifyingTexts(value as DicomJson);
  const isIdentifying = ['PN', 'DA', 'DT', 'UI'].includes(vr) || tag === '00100020' || tag === '00080050';
  if (!isIdentifying || value === null || (vr === 'UI' && actionOf(tag) === 'keep')) return [];
  const text = typeof value === 'object' ? Object.values(value).join('=') : String(value);
  return text.length >= 8 && text !== '19000101' && !text.startsWith('1.2.840.10008.1.') ? [text] : [];
};

test.skipIf(!existsSync(corpus))(
  'no identifying value stays in the headers of real files (skipped without ../shared/dicom)',
  { timeout: 300_000 },
  async () => {
    let cleaned = 0;
    for (const path of filesBelow(corpus)) {
      if (path.includes('malformed') || statSync(path).size > 8_000_000) continue;
      const file = readFileSync(path);
      const before = readOrRefusal(() => readHeader(file));
      const result = await deidentified(file).catch(refusalOf);
      if (before instanceof DicomError || result instanceof DicomError) continue;
      const { bytes, header } = result;
      const headerBytes = bytes.subarray(0, header.pixelData?.offset ?? bytes.length);
      const left = identifyingTexts(before.dataset).filter((text) => headerBytes.includes(Buffer.from(text)));

      expect({ path, left }).toEqual({ path, left: [] });
      cleaned += 1;
    }
    expect(cleaned).toBeGreaterThan(50);
  },
);
