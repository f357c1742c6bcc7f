import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { textOf, valuesOf } from './dataset.ts';
import { DicomError, NeedMoreBytes } from './dicom-error.ts';
import { indexFrames } from './frame-index.ts';
import { readHeader, type Header } from './header.ts';

const corpus = new URL('../../../shared/dicom/', import.meta.url);
const manifest = new URL('MANIFEST.tsv', corpus);
const isAbsent = !existsSync(manifest);
const note = '(skipped where the collection ../shared/dicom is absent)';

type Entry = { file: string; modality: string; transferSyntax: string; studyUid: string; seriesUid: string };

const entries = (): Entry[] => {
  const [, ...lines] = readFileSync(manifest, 'utf8').trim().split('\n');
  return lines
    .map((line) => line.split('\t'))
    .map(([file = '', , modality = '', , transferSyntax = '', , studyUid = '', seriesUid = '']) => ({
      file,
      modality,
      transferSyntax,
      studyUid,
      seriesUid,
    }))
    .filter(({ file }) => !file.endsWith('.json'));
};

const read = (file: string): Buffer => readFileSync(new URL(encodeURIComponent(file).replaceAll('%2F', '/'), corpus));

const take = async (file: string): Promise<Header> => {
  const bytes = read(file);
  const header = readHeader(bytes);
  await indexFrames(async (offset, length) => bytes.subarray(offset, offset + length), header, bytes.length);
  return header;
};

/** Real and deliberately broken files that every archive should refuse, by error code. */
const refusedByCode: Record<string, string[]> = {
  NOT_DICOM: [
    ...['empty', 'png_renamed', 'random_1k', 'text_renamed'].map((name) => `malformed/${name}.dcm`),
    'pydicom/test_files/no_meta.dcm',
  ],
  TRUNCATED: [
    ...['element_length_huge', 'pixel_data_short', 'preamble_only'].map((name) => `malformed/${name}.dcm`),
    ...['in_header', 'in_meta', 'in_pixels'].map((where) => `malformed/truncated_${where}.dcm`),
    ...['MR_truncated', 'rtplan_truncated'].map((name) => `pydicom/test_files/${name}.dcm`),
  ],
  UID: [
    ...['missing_series_uid', 'missing_study_uid'].map((name) => `malformed/${name}.dcm`),
    'pydicom/charset/chrSQEncoding.dcm',
    ...['HTJ2KLossless_08_RGB', 'HTJ2K_08_RGB', 'JLSL_08_07_0_1F', 'JLSL_16_15_1_1F', 'bad_sequence'].map(
      (name) => `pydicom/data/${name}.dcm`,
    ),
    ...['JLSL_RGB_ILV0', 'JLSL_RGB_ILV1', 'JLSL_RGB_ILV2', 'JLSN_RGB_ILV0'].map((name) => `pydicom/data/${name}.dcm`),
    ...['JPEGLSNearLossless_08', 'JPEGLSNearLossless_16', 'SC_rgb_jls_lossy_line', 'SC_rgb_jls_lossy_sample'].map(
      (name) => `pydicom/test_files/${name}.dcm`,
    ),
    ...['UN_sequence', 'empty_charset_LEI', 'no_meta_group_length', 'priv_SQ'].map(
      (name) => `pydicom/test_files/${name}.dcm`,
    ),
  ],
  META: ['pydicom/test_files/meta_missing_tsyntax.dcm'],
  STRUCTURE: ['pydicom/test_files/nested_priv_SQ.dcm'],
  DICOMDIR: ['', '-bigEnd', '-empty.dcm', '-implicit', '-nooffset', '-nopatient', '-reordered']
    .map((suffix) => `pydicom/dicomdir/DICOMDIR${suffix}`)
    .concat('pydicom/dicomdir/TINY_ALPHA/DICOMDIR'),
};

test.skipIf(isAbsent)(
  `the reader refuses exactly the broken files among a thousand ${note}`,
  { timeout: 60_000 },
  async () => {
    const filesByCode: Record<string, string[]> = {};

    for (const { file } of entries()) {
      const code = await take(file).then(
        () => undefined,
        (error: unknown) => (error instanceof DicomError ? error.code : String(error)),
      );
      if (code) (filesByCode[code] ??= []).push(file);
    }

    const sorted = (lists: Record<string, string[]>) =>
      Object.fromEntries(Object.entries(lists).map(([code, files]) => [code, files.toSorted()]));
    expect(sorted(filesByCode)).toEqual(sorted(refusedByCode));
  },
);

test.skipIf(isAbsent)(
  `every accepted file has the UIDs and modality of its origin ${note}`,
  { timeout: 60_000 },
  async () => {
    const refusedFiles = new Set(Object.values(refusedByCode).flat());
    const accepted = entries().filter(({ file }) => !refusedFiles.has(file));

    const wrong = accepted.filter(({ file, modality, transferSyntax, studyUid, seriesUid }) => {
      const header = readHeader(read(file));
      const declared = textOf(header.fileMeta, 'TransferSyntaxUID') ?? '';
      return (
        header.studyInstanceUID !== studyUid ||
        header.seriesInstanceUID !== seriesUid ||
        (textOf(header.dataset, 'Modality') ?? '') !== modality ||
        declared !== transferSyntax
      );
    });

    expect(accepted.length).toBeGreaterThan(900);
    expect(wrong).toEqual([]);
  },
);

test.skipIf(isAbsent)(
  `reading only the beginning of a file gives the same result as reading all ${note}`,
  { timeout: 60_000 },
  () => {
    const outcome = (bytes: Buffer, length: number): unknown => {
      try {
        return readHeader(bytes.subarray(0, length), { fileSize: bytes.length });
      } catch (error) {
        if (error instanceof NeedMoreBytes && error.needed > length) return outcome(bytes, error.needed);
        return error;
      }
    };

    for (const { file } of entries()) {
      const bytes = read(file);
      expect({ file, outcome: outcome(bytes, 64) }).toEqual({ file, outcome: outcome(bytes, bytes.length) });
    }
  },
);

test.skipIf(isAbsent).each([
  ['pydicom/charset/chrFren.dcm', 'Buc^Jérôme'],
  ['pydicom/charset/chrFrenMulti.dcm', 'Buc^Jérôme'],
  ['pydicom/charset/chrGerm.dcm', 'Äneas^Rüdiger'],
  ['pydicom/charset/chrGreek.dcm', 'Διονυσιος'],
  ['pydicom/charset/chrHbrw.dcm', 'שרון^דבורה'],
  ['pydicom/charset/chrRuss.dcm', 'Люкceмбypг'],
  ['pydicom/charset/chrJapMulti.dcm', 'やまだ^たろう'],
  ['pydicom/charset/chrJapMultiExplicitIR6.dcm', 'やまだ^たろう'],
  ['malformed/name_latin1_declared_utf8.dcm', 'Müller^Jörg'],
  ['malformed/name_no_charset_utf8_bytes.dcm', 'Ма́рия^Ива́нова'],
])(`the patient of %s is %s ${note}`, (file, name) => {
  expect(textOf(readHeader(read(file)).dataset, 'PatientName')).toBe(name);
});

test.skipIf(isAbsent)(`the reader decodes all representations of a Japanese and a Chinese name ${note}`, () => {
  const namesOf = (file: string) => valuesOf(readHeader(read(file)).dataset, 'PatientName');

  expect(namesOf('pydicom/charset/chrH31.dcm')).toEqual([
    { Alphabetic: 'Yamada^Tarou', Ideographic: '山田^太郎', Phonetic: 'やまだ^たろう' },
  ]);
  expect(namesOf('pydicom/charset/chrX1.dcm')).toEqual([{ Alphabetic: 'Wang^XiaoDong', Ideographic: '王^小東' }]);
});

test.skipIf(isAbsent)(`the reader reads a file with a wrong transfer syntax by its actual encoding ${note}`, () => {
  expect(readHeader(read('malformed/declared_implicit_is_explicit.dcm')).transferSyntaxUID).toBe('1.2.840.10008.1.2.1');
});
