import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DicomError } from './dicom-error.ts';
import { indexFrames } from './frame-index.ts';
import { readHeader } from './header.ts';

const generator = new URL('../../../shared/security/fuzz-dicom.mjs', import.meta.url);
const caseCount = 1080;
/** A bomb takes longer to make than to refuse; a few of them tell as much as all. */
const bombs = 2;

type FuzzCase = { name: string; class: string; expect: 'accept' | 'reject' | 'either'; note: string; data: Buffer };
type Generate = (seed: string, index: number) => FuzzCase;

const outcomeOf = async (file: Buffer): Promise<string> => {
  try {
    await indexFrames(async (offset, length) => file.subarray(offset, offset + length), readHeader(file), file.length);
    return 'accept';
  } catch (error) {
    return error instanceof DicomError ? 'reject' : `crash: ${String(error)}`;
  }
};

test.skipIf(!existsSync(generator))(
  'of files broken in every known way none does harm (skipped where ../shared/security/fuzz-dicom.mjs is absent)',
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
      const isExpected = outcome === fuzzed.expect || (fuzzed.expect === 'either' && !outcome.startsWith('crash'));
      if (!isExpected) surprises.push(`${fuzzed.name}: ${fuzzed.note}: ${outcome}`);
    }

    expect(surprises).toEqual([]);
  },
);
