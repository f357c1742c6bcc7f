import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { readHeader } from '@radwork/dicom/header';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { getFrom } from '#test/archive-calls.ts';
import { form } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

/** Real files in a folder next to the repository, if they are there. */
const folder = resolve(import.meta.dirname, '../../../../../shared/dicom');
const haveFiles = existsSync(folder);
const unlessMissing = haveFiles ? '' : ' (skipped: there are no files in ../shared/dicom)';

const dcmtk = '/usr/bin/dcmj2pnm';
const canCompare = haveFiles && existsSync(dcmtk);
const unlessNotInstalled = canCompare ? '' : ' (skipped: it takes ../shared/dicom and dcmtk)';

const world = await createWorld();

type CorpusFile = { file: string; studyUid: string; seriesUid: string };

const manifest = (): CorpusFile[] =>
  readFileSync(join(folder, 'MANIFEST.tsv'), 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
    .flatMap(([file, , , , , , studyUid = '', seriesUid = '']) => (file ? [{ file, studyUid, seriesUid }] : []));

type Stored = { person: Person; path: string; frames: number; isMapped: boolean; isImage: boolean };

/** Stores a file in its own tenant, because many files have the same UIDs. Returns the reason of a refusal. */
const stored = async (file: string, bytes: Buffer): Promise<Stored | string> => {
  const person = await world.signIn();
  const upload = form({ name: basename(file), bytes });
  const { body, statusCode } = await person.request({ method: 'POST', url: '/api/stow-rs/studies', ...upload });
  if (statusCode >= 500) throw new Error(`${file}: ${body}`);
  const [, refusal] = body.split('Failed to process files:\n');
  if (refusal?.trim()) return refusal.split(': ').slice(1).join(': ').trim();
  const row = await person.inScope(({ db }) =>
    db
      .selectFrom('instances')
      .innerJoin('series', 'series.id', 'instances.series_id')
      .innerJoin('studies', 'studies.id', 'instances.study_id')
      .select(['study_instance_uid', 'series_instance_uid', 'sop_instance_uid'])
      .select(['number_of_frames', 'frame_index', 'is_renderable'])
      .executeTakeFirstOrThrow(),
  );
  return {
    person,
    path: `/studies/${row.study_instance_uid}/series/${row.series_instance_uid}/instances/${row.sop_instance_uid}`,
    frames: row.number_of_frames,
    isMapped: row.frame_index !== null,
    isImage: row.is_renderable,
  };
};

/** Lists the faults in the answers of the server about a file. */
const faultsOf = async ({ file, studyUid, seriesUid }: CorpusFile, bytes: Buffer, one: Stored): Promise<string[]> => {
  const { person, path } = one;
  const faults: string[] = [];
  const fileResponse = await getFrom(person, path, { accept: 'application/dicom' });
  if (!fileResponse.rawPayload.equals(bytes)) faults.push('another file came back');

  const [metadata] = (await getFrom(person, `${path}/metadata`)).json();
  const [study, series] = ['0020000D', '0020000E'].map((tag) => String(metadata[tag]?.Value?.[0] ?? ''));
  if (study !== studyUid || series !== seriesUid) faults.push(`it is of ${study} ${series}`);
  const tags = Object.keys(metadata);
  if (!tags.includes('00080018')) faults.push('it has no SOP Instance UID');

  const explicit = { accept: 'application/dicom; transfer-syntax=1.2.840.10008.1.2.1' };
  const transcoded = await getFrom(person, path, explicit);
  if (transcoded.statusCode === 200) faults.push(...changesIn(bytes, transcoded.rawPayload));
  else if (transcoded.statusCode !== 406) faults.push(`transcoding: ${transcoded.statusCode}`);
  return [...faults, ...(await frameFaults(one))].map((fault) => `${file}: ${fault}`);
};

/** Elements that transcoding may change: the pixel encoding and the positions of compressed frames. */
const mayChange = new Set(['00280004', '00280006', '00280100', '7FE00001', '7FE00002', '00880200']);

const changesIn = (bytes: Buffer, transcoded: Buffer): string[] => {
  const [before, after] = [readHeader(bytes), readHeader(transcoded)];
  const tags = new Set([...Object.keys(before.dataset), ...Object.keys(after.dataset)]);
  const changed = [...tags].filter(
    (tag) => !mayChange.has(tag) && JSON.stringify(before.dataset[tag]) !== JSON.stringify(after.dataset[tag]),
  );
  return changed.map((tag) => `transcoding changes ${tag}`);
};

const mostFramesTried = 40;

const frameFaults = async ({ person, path, frames, isMapped }: Stored): Promise<string[]> => {
  const faults: string[] = [];
  for (let frame = 1; frame <= Math.min(frames, mostFramesTried); frame += 1) {
    const { statusCode, rawPayload } = await getFrom(person, `${path}/frames/${frame}`, {
      accept: 'application/octet-stream',
    });
    const isAsItShould = isMapped ? statusCode === 200 && rawPayload.length > 0 : statusCode === 404;
    if (!isAsItShould) faults.push(`frame ${frame}: ${statusCode}`);
  }
  return faults;
};

const inParallel = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all([worker(), worker(), worker()]);
};

test.skipIf(!haveFiles)(
  `every real file is returned unchanged, described correctly, and shown or refused with a reason${unlessMissing}`,
  { timeout: 600_000 },
  async () => {
    const refused: Record<string, number> = {};
    const faults: string[] = [];
    const unmapped: string[] = [];
    const notShown: string[] = [];
    let shownCount = 0;

    await inParallel(manifest(), async (file) => {
      const bytes = readFileSync(join(folder, file.file));
      const one = await stored(file.file, bytes);
      if (typeof one === 'string') {
        refused[one] = (refused[one] ?? 0) + 1;
        return;
      }
      faults.push(...(await faultsOf(file, bytes, one)));
      if (one.frames > 0 && !one.isMapped) unmapped.push(file.file);
      const picture = await getFrom(one.person, `${one.path}/rendered`);
      if (picture.statusCode === 200) shownCount += 1;
      else if (one.isImage) notShown.push(`${file.file}: ${picture.statusCode} ${picture.json().message}`);
      else if (picture.statusCode !== 406) faults.push(`${file.file}: rendered ${picture.statusCode}`);
    });

    expect(faults).toEqual([]);
    expect({ notShown, unmapped: unmapped.toSorted(), refused }).toEqual({
      // A test file whose codestream states a wrong size.
      notShown: [
        'pydicom/test_files/JPEG2000-embedded-sequence-delimiter.dcm: 422 The image cannot be shown. The compressed image has a different size than the file states.',
      ],
      unmapped: [],
      refused: {
        'The file does not declare its encoding.': 1,
        'The file has no SOPInstanceUID.': 4,
        'The SOPInstanceUID of the file is not a valid UID.': 1,
        'The file has no SOPClassUID.': 1,
        'The file has no SeriesInstanceUID.': 1,
        'The file has no StudyInstanceUID.': 13,
        'The file is incomplete: its end is missing.': 8,
        'The file is empty.': 1,
        'The file header is damaged.': 1,
        'This is not a DICOM file.': 5,
        'The file is a disc directory (DICOMDIR), not an image.': 8,
      },
    });
    expect(shownCount).toBeGreaterThan(850);
  },
);

/** Patient names of the files with special character sets, each in all its spellings. */
const names: Record<string, Record<string, string>> = {
  'chrFren.dcm': { Alphabetic: 'Buc^Jérôme' },
  'chrFrenMulti.dcm': { Alphabetic: 'Buc^Jérôme' },
  'chrGerm.dcm': { Alphabetic: 'Äneas^Rüdiger' },
  'chrGreek.dcm': { Alphabetic: 'Διονυσιος' },
  'chrHbrw.dcm': { Alphabetic: 'שרון^דבורה' },
  'chrRuss.dcm': { Alphabetic: 'Люкceмбypг' },
  'chrJapMulti.dcm': { Alphabetic: 'やまだ^たろう' },
  'chrH31.dcm': { Alphabetic: 'Yamada^Tarou', Ideographic: '山田^太郎', Phonetic: 'やまだ^たろう' },
  'chrX1.dcm': { Alphabetic: 'Wang^XiaoDong', Ideographic: '王^小東' },
};

test.skipIf(!haveFiles)(
  `metadata, search results and transcoded files show the patient name of the file${unlessMissing}`,
  { timeout: 60_000 },
  async () => {
    const called: Record<string, unknown> = {};
    const namesByFile: Record<string, unknown> = {};
    const transcoded: Record<string, unknown> = {};
    for (const name of Object.keys(names)) {
      const one = await stored(name, readFileSync(join(folder, 'pydicom/charset', name)));
      if (typeof one === 'string') throw new Error(`${name}: ${one}`);
      const { person, path } = one;
      const [metadata] = (await getFrom(person, `${path}/metadata`)).json();
      called[name] = metadata['00100010'].Value[0];
      const [study] = (await person.request({ method: 'GET', url: '/api/qido-rs/studies' })).json();
      namesByFile[name] = study['00100010'].Value[0];
      const accept = 'application/dicom; transfer-syntax=1.2.840.10008.1.2.1';
      const { rawPayload } = await getFrom(person, path, { accept });
      transcoded[name] = readHeader(rawPayload).dataset['00100010']?.Value?.[0];
    }

    expect(called).toEqual(names);
    expect(transcoded).toEqual(names);
    expect(namesByFile).toEqual(names);
  },
);

/** Returns the pixels of the PGM or PPM image that dcmtk renders. Undefined for a file that dcmtk cannot read. */
const pictureOfDcmtk = async (file: string, options: string[]) => {
  const place = await mkdtemp(join(tmpdir(), 'radwork-dcmtk-'));
  const target = join(place, 'picture.pnm');
  try {
    await promisify(execFile)(dcmtk, [...options, '+op', join(folder, file), target]);
    const bytes = await readFile(target);
    const [head = '', channels = '', columns = '', rows = ''] =
      /^P([56])\s+(?:#.*\s+)*(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString('latin1', 0, 200)) ?? [];
    const pixels = bytes.subarray(head.length);
    return { pixels, channels: channels === '5' ? 1 : 3, columns: Number(columns), rows: Number(rows) };
  } catch {
    return undefined;
  } finally {
    await rm(place, { recursive: true });
  }
};

const pictureOfOurs = async ({ person, path }: Stored, query: string) => {
  const { rawPayload } = await getFrom(person, `${path}/frames/1/rendered?accept=image/png${query}`);
  const { channels } = await sharp(rawPayload).metadata();
  const image = channels === 1 ? sharp(rawPayload).toColourspace('b-w') : sharp(rawPayload);
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { pixels: data, channels, columns: info.width, rows: info.height };
};

/** Whether Pixel Spacing (0028,0030) and Pixel Aspect Ratio (0028,0034), if present, have two equal values. */
const hasSquarePixels = (dataset: ReturnType<typeof readHeader>['dataset']): boolean =>
  ['00280030', '00280034'].every((tag) => new Set(dataset[tag]?.Value?.map(Number)).size < 2);

const meanDifference = (one: Buffer, other: Buffer): number =>
  one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / one.length;

/**
 * Returns one file for each folder, transfer syntax and kind of color. Leaves out transfer syntaxes that this dcmtk
 * does not read.
 */
const sampleForDcmtk = (): CorpusFile[] => {
  const kindsSeen = new Set<string>();
  return manifest().filter(({ file }) => {
    if (/malformed|dicomdir|truth/i.test(file)) return false;
    const kind = kindOf(readFileSync(join(folder, file)), file);
    if (!kind || kindsSeen.has(kind)) return false;
    kindsSeen.add(kind);
    return true;
  });
};

const kindOf = (bytes: Buffer, file: string): string | undefined => {
  try {
    const { transferSyntaxUID, renderable, dataset } = readHeader(bytes);
    const colors = JSON.stringify([dataset['00280004'], dataset['00280100'], dataset['00280101']]);
    return renderable ? `${file.split('/')[0]} ${transferSyntaxUID} ${colors}` : undefined;
  } catch {
    return undefined;
  }
};

test.skipIf(!canCompare)(
  `rendered images differ from those of dcmtk by at most two gray levels${unlessNotInstalled}`,
  { timeout: 300_000 },
  async () => {
    const tooFar: string[] = [];
    let compared = 0;

    await inParallel(sampleForDcmtk(), async ({ file }) => {
      const bytes = readFileSync(join(folder, file));
      const { dataset } = readHeader(bytes);
      const isGray = /MONOCHROME/.test(JSON.stringify(dataset['00280004']));
      // dcmtk neither colors by a supplemental palette nor stretches pixels that are not square.
      if ((isGray && dataset['00281101']) || !hasSquarePixels(dataset)) return;
      const dcmtkPicture = await pictureOfDcmtk(file, isGray ? ['+Ww', '40', '400'] : []);
      const one = dcmtkPicture && (await stored(file, bytes));
      if (!dcmtkPicture || !one || typeof one === 'string') return;
      const ours = await pictureOfOurs(one, isGray ? '&window=40,400,linear' : '');
      compared += 1;
      const isAlike =
        ours.columns === dcmtkPicture.columns &&
        ours.rows === dcmtkPicture.rows &&
        ours.channels === dcmtkPicture.channels;
      const difference = isAlike ? meanDifference(ours.pixels, dcmtkPicture.pixels) : 255;
      if (difference > 2)
        tooFar.push(
          `${file}: ${difference.toFixed(1)} ${ours.columns}x${ours.rows}x${ours.channels} ${dcmtkPicture.columns}x${dcmtkPicture.rows}x${dcmtkPicture.channels}`,
        );
    });

    expect(tooFar).toEqual([]);
    expect(compared).toBeGreaterThan(30);
  },
);
