import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { getFrom, storeAs } from '#test/archive-calls.ts';
import { form } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

/** Real files in a folder next to the repository, if they are there. */
const folder = resolve(import.meta.dirname, '../../../../../shared/dicom');
const haveFiles = existsSync(folder);
const unlessMissing = haveFiles ? '' : ' (skipped: there are no files in ../shared/dicom)';

const world = await createWorld();

const fileAt = (path: string) => ({ name: basename(path), bytes: readFileSync(join(folder, path)) });

const pathsIn = (path: string): string[] =>
  readdirSync(join(folder, path))
    .toSorted()
    .map((name) => `${path}/${name}`);

/** Sends files one after the other and returns the archive's answer to each. */
const fatesOf = async (person: Person, paths: readonly string[]): Promise<Record<string, string>> => {
  const outcomes: Record<string, string> = {};
  for (const path of paths) {
    const upload = form(fileAt(path));
    const { body } = await person.request({ method: 'POST', url: '/api/stow-rs/studies', ...upload });
    outcomes[basename(path)] =
      body.split('Failed to process files:\n')[1]?.split(': ').slice(1).join(': ').trim() || 'stored';
  }
  return outcomes;
};

const studyOf = async (person: Person): Promise<string> => {
  const { study_instance_uid } = await person.inScope(({ db }) =>
    db.selectFrom('studies').select('study_instance_uid').executeTakeFirstOrThrow(),
  );
  return `/studies/${study_instance_uid}`;
};

const graysOf = async (person: Person): Promise<Buffer> => {
  const answer = await getFrom(person, `${await studyOf(person)}/rendered?accept=image/png&window=40,400,linear`);
  return sharp(answer.rawPayload).toColourspace('b-w').raw().toBuffer();
};

const meanDifference = (one: Buffer, other: Buffer): number =>
  one.reduce((sum, gray, index) => sum + Math.abs(gray - (other[index] ?? 0)), 0) / one.length;

const original = 'transfer-syntaxes/ctimage/CTImage.dcm_LittleEndianExplicitTransferSyntax_1.2.840.10008.1.2.1.dcm';

/** Maximum difference between a lossy image and the original, in grays of 255. */
const lossy: Record<string, number> = { '.4.50': 8, '.4.51': 2, '.4.53': 2, '.4.55': 2, '.4.81': 1, '.4.91': 1 };

test.skipIf(!haveFiles)(
  `one CT image in fifteen transfer syntaxes renders the same${unlessMissing}`,
  { timeout: 120_000 },
  async () => {
    const paths = pathsIn('transfer-syntaxes/ctimage').filter((path) => path.includes('CTImage.dcm_'));
    const first = await world.signIn();
    await storeAs(first, fileAt(original));
    const expected = await graysOf(first);

    const differences: Record<string, number> = {};
    for (const path of paths) {
      const person = await world.signIn();
      await storeAs(person, fileAt(path));
      const [, syntax = ''] = /1\.2\.840\.10008\.1\.2([\d.]*)\.dcm$/.exec(path) ?? [];
      differences[syntax] = meanDifference(await graysOf(person), expected);
    }

    const tooFar = Object.entries(differences).filter(([syntax, difference]) => difference > (lossy[syntax] ?? 0));
    expect(Object.keys(differences)).toHaveLength(15);
    expect(tooFar).toEqual([]);
  },
);

test.skipIf(!haveFiles)(`each malformed file is stored or refused as expected${unlessMissing}`, async () => {
  const person = await world.signIn();

  const outcomes = await fatesOf(person, pathsIn('malformed'));

  const cutShort = 'The file is incomplete: its end is missing.';
  expect(outcomes).toEqual({
    'bad_dates_numbers.dcm': 'stored',
    'declared_implicit_is_explicit.dcm': 'stored',
    'dup_sop_a.dcm': 'stored',
    'dup_sop_b_different_pixels.dcm':
      'A different file with this SOP Instance UID is already stored. It was not replaced.',
    'element_length_huge.dcm': cutShort,
    'empty.dcm': 'The file is empty.',
    'missing_patient_id.dcm': 'stored',
    'missing_series_uid.dcm': 'The file has no SeriesInstanceUID.',
    'missing_sop_instance_uid.dcm': 'stored',
    'missing_study_uid.dcm': 'The file has no StudyInstanceUID.',
    'name_latin1_declared_utf8.dcm': 'stored',
    'name_no_charset_utf8_bytes.dcm': 'stored',
    'no_preamble_no_meta_explicit.dcm': 'stored',
    'pixel_data_short.dcm': cutShort,
    'png_renamed.dcm': 'This is not a DICOM file.',
    'preamble_only.dcm': cutShort,
    'random_1k.dcm': 'This is not a DICOM file.',
    'rle_multiframe_no_bot.dcm': 'stored',
    'same_study_other_patient_a.dcm': 'stored',
    'same_study_other_patient_b.dcm': 'The patient in the file differs from the patient of the study.',
    'text_renamed.dcm': 'This is not a DICOM file.',
    'trailing_garbage.dcm': 'stored',
    'trailing_padding_fffc.dcm': 'stored',
    'truncated_in_header.dcm': cutShort,
    'truncated_in_meta.dcm': cutShort,
    'truncated_in_pixels.dcm': cutShort,
    'uid_mismatch_meta_vs_dataset.dcm': 'stored',
    'xss_sql_in_text.dcm': 'stored',
  });
});

test.skipIf(!haveFiles)(
  `separates frames without an offset table and replaces a decoder that crashes${unlessMissing}`,
  { timeout: 120_000 },
  async () => {
    const trapping = await world.signIn();
    const intact = await world.signIn();
    const fragmented = await world.signIn();
    await storeAs(trapping, fileAt('nema-wg04/MR1_JLSL'));
    await storeAs(intact, fileAt('nema-wg04/MR1_JPLL'));
    await storeAs(fragmented, fileAt('encapsulated-fragments/CT0012.fragmented_no_bot_jpeg_ls.80.dcm'));

    const pictures = [await graysOf(trapping), await graysOf(intact)];
    const cine = await getFrom(fragmented, `${await studyOf(fragmented)}/rendered`);

    expect(pictures[0]?.equals(pictures[1] ?? Buffer.alloc(0))).toBe(true);
    expect(cine.statusCode).toBe(200);
  },
);
