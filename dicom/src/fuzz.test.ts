import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DicomError } from './dicom-error.ts';
import { indexFrames } from './frame-index.ts';
import { readHeader } from './header.ts';

const generator = new URL('../../../shared/security/fuzz-dicom.mjs', import.meta.url);
const caseCount = 1080;
/** Making a deflate bomb takes longer than refusing it, and a few are enough. */
const bombs = 2;

type FuzzCase = { name: string; class: string; expect: 'accept' | 'reject' | 'either'; note: string; data: Buffer };
type Generate = (seed: string, index: number) => FuzzCase;

const readWholly = async (file: Buffer): Promise<void> => {
  await indexFrames(async (offset, length) => file.subarray(offset, offset + length), readHeader(file), file.length);
};

const outcomeOf = async (file: Buffer, reading = readWholly): Promise<string> => {
  try {
    await reading(file);
    return 'accept';
  } catch (error) {
    return error instanceof DicomError ? 'reject' : `crash: ${String(error)}`;
  }
};

const isExpected = (expected: FuzzCase['expect'], outcome: string): boolean =>
  outcome === expected || (expected === 'either' && !outcome.startsWith('crash'));

test('the fuzz test fails if the reader crashes, or accepts or refuses wrong files', async () => {
  const breaking = await outcomeOf(Buffer.alloc(0), async (file) => void file.readUInt32LE(0));
  const taking = await outcomeOf(Buffer.alloc(0), async () => {});
  const refusing = await outcomeOf(Buffer.alloc(0));

  expect([breaking, taking, refusing]).toEqual([expect.stringMatching(/^crash: RangeError/), 'accept', 'reject']);
  expect((['accept', 'reject', 'either'] as const).filter((expected) => isExpected(expected, breaking))).toEqual([]);
  expect([isExpected('reject', taking), isExpected('accept', refusing)]).toEqual([false, false]);
});

test.skipIf(!existsSync(generator))(
  'the reader handles files broken in every known way (skipped without ../shared/security/fuzz-dicom.mjs)',
  { timeout: 60_000 },
  async () => {
    const { generate, CLASSES }: { generate: Generate; CLASSES: string[] } = await import(generator.href);
    const isAnotherBomb = (index: number) =>
      CLASSES[index % CLASSES.length] === 'deflateBomb' && index >= bombs * CLASSES.length;
    const surprises: string[] = [];

    for (let index = 0; index < caseCount; index += 1) {
      if (isAnotherBomb(index)) continue;
      const fuzzed = generate('1', index);
      const outcome = await outcomeOf(fuzzed.data);
      if (!isExpected(fuzzed.expect, outcome)) surprises.push(`${fuzzed.name}: ${fuzzed.note}: ${outcome}`);
    }

    expect(surprises).toEqual([]);
  },
);
