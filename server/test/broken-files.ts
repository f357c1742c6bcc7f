import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { type Elements, writeFileStart } from '@radwork/dicom/part10';
import { uidFrom } from '@radwork/dicom/uid';
import { simpleInstance } from '@radwork/phantom/instance';
import { randomFrom } from '@radwork/phantom/random';

/** A broken file that a server may receive by accident or from an attacker. */
export type BrokenFile = { name: string; bytes: Buffer };

type Random = {
  /** Returns a whole number from 0 up to `end`, excluded. */
  below: (end: number) => number;
  pick: <T>(values: readonly [T, ...T[]]) => T;
  bytes: (length: number) => Buffer;
};

const createRandom = (seed: string): Random => {
  const next = randomFrom(seed);
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    pick: (values) => values[below(values.length)] ?? values[0],
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
};

const explicitLittleEndian = '1.2.840.10008.1.2.1';
const implicitLittleEndian = '1.2.840.10008.1.2';
const deflated = '1.2.840.10008.1.2.1.99';
const uncompressed = [explicitLittleEndian, implicitLittleEndian, '1.2.840.10008.1.2.2', deflated] as const;
const compressed = ['1.2.840.10008.1.2.5', '1.2.840.10008.1.2.4.50', '1.2.840.10008.1.2.4.90'] as const;

const uidsOf = (seed: string) => ({
  StudyInstanceUID: uidFrom('broken', seed, 'study'),
  SeriesInstanceUID: uidFrom('broken', seed, 'series'),
  SOPInstanceUID: uidFrom('broken', seed, 'instance'),
  PatientID: seed,
});

/** Creates an intact file in a random encoding. */
const wholeFile = (seed: string, random: Random, elements: Elements = {}): Buffer => {
  const dataset = { ...uidsOf(seed), ...elements };
  if (random.below(3) > 0) return simpleInstance(dataset, { transferSyntaxUID: random.pick(uncompressed) });
  const pixelData = [random.bytes(200), random.bytes(100)];
  return simpleInstance({ NumberOfFrames: 2, ...dataset }, { transferSyntaxUID: random.pick(compressed), pixelData });
};

const damaged = (bytes: Buffer, damage: (copy: Buffer) => void): Buffer => {
  const copy = Buffer.from(bytes);
  damage(copy);
  return copy;
};

/** Creates nested items, which exhaust the stack of a recursive reader. */
const nested = (depth: number): Buffer => {
  const openSequence = Buffer.from('0800401153510000ffffffff', 'hex');
  const openItem = Buffer.from('feff00e0ffffffff', 'hex');
  return Buffer.concat(Array.from({ length: depth }, () => Buffer.concat([openSequence, openItem])));
};

const lengths = [0, 1, 0x7fff_ffff, 0xffff_fffe, 0xffff_ffff] as const;
const badUids = ['../../../etc/passwd', '', '1.2.840.', '1..2', '9'.repeat(65), '1.2.\u0000.3', 'ＡＢＣ'] as const;
const hugeText = 'x'.repeat(1 << 20);

/** Creates one kind of damage each, from a flipped bit to a decompression bomb. */
const kinds: Record<string, (seed: string, random: Random) => Buffer> = {
  truncated: (seed, random) => {
    const bytes = wholeFile(seed, random);
    return bytes.subarray(0, random.below(bytes.length));
  },
  flippedBytes: (seed, random) =>
    damaged(wholeFile(seed, random), (copy) => {
      for (let remaining = 1 + random.below(20); remaining > 0; remaining -= 1)
        copy[random.below(copy.length)] = random.below(256);
    }),
  wrongLength: (seed, random) =>
    damaged(wholeFile(seed, random), (copy) => {
      copy.writeUInt32LE(random.pick([...lengths, random.below(2 ** 32)]), 132 + random.below(copy.length - 140));
    }),
  wrongVr: (seed, random) =>
    damaged(wholeFile(seed, random), (copy) => {
      const vrs = ['CS', 'UI', 'LO', 'US', 'DS'].map((vr) => copy.indexOf(vr, 300, 'latin1')).filter((at) => at > 0);
      copy.write(random.pick(['SQ', 'UN', 'OB', 'US', '??', 'zz']), vrs[random.below(vrs.length)] ?? 300, 'latin1');
    }),
  missingPiece: (seed, random) => {
    const bytes = wholeFile(seed, random);
    const start = 132 + random.below(bytes.length - 140);
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + 1 + random.below(100))]);
  },
  repeatedPiece: (seed, random) => {
    const bytes = wholeFile(seed, random);
    const start = 132 + random.below(bytes.length - 140);
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start - random.below(100))]);
  },
  badUid: (seed, random) =>
    wholeFile(seed, random, {
      [random.pick(['StudyInstanceUID', 'SeriesInstanceUID', 'SOPInstanceUID'])]: random.pick(badUids),
    }),
  deepSequences: (seed, random) =>
    Buffer.concat([writeFileStart(explicitLittleEndian, uidsOf(seed)), nested(random.pick([33, 1000, 100_000]))]),
  deflateBomb: (seed, random) =>
    Buffer.concat([
      writeFileStart(deflated, uidsOf(seed)),
      deflateRawSync(Buffer.alloc(random.pick([1 << 20, 63 << 20, 100 << 20]))),
    ]),
  largeHeader: (seed, random) => wholeFile(seed, random, { TextValue: hugeText.repeat(random.pick([1, 10, 40])) }),
  manyValues: (seed, random) =>
    simpleInstance(
      {
        ...uidsOf(seed),
        SelectorDSValue: Array.from({ length: random.pick([1000, 30_000, 300_000]) }, (_, index) => index),
      },
      { transferSyntaxUID: implicitLittleEndian },
    ),
  manyElements: (seed, random) => {
    const count = random.pick([1000, 10_000, 100_000]);
    const sequence = Array.from({ length: count }, (_, index) => ({ TextValue: `${index}` }));
    return wholeFile(seed, random, { ContentSequence: sequence });
  },
  oddGeometry: (seed, random) =>
    simpleInstance(
      {
        ...uidsOf(seed),
        Rows: random.pick([0, 1, 65_535]),
        Columns: random.pick([0, 65_535]),
        BitsAllocated: random.pick([0, 1, 7, 64, 65_535]),
        NumberOfFrames: random.pick([-1, 0, 2 ** 31 - 1]),
      },
      { pixelData: random.bytes(64) },
    ),
  noise: (_seed, random) => random.bytes(random.below(4000)),
  noiseAfterStart: (seed, random) =>
    Buffer.concat([writeFileStart(random.pick(uncompressed), uidsOf(seed)), random.bytes(random.below(4000))]),
};

/** Returns file number `index` of a seed. The bytes are always the same with the same zlib. */
export const brokenFile = (seed: string, index: number): BrokenFile => {
  const names = Object.keys(kinds);
  const kind = names[index % names.length] ?? '';
  const name = `${kind} ${seed} ${index}`;
  return { name, bytes: kinds[kind]?.(name, createRandom(name)) ?? Buffer.alloc(0) };
};

const shared = resolve(import.meta.dirname, '../../../shared');
const generator = resolve(shared, 'security/fuzz-dicom.mjs');
const folder = resolve(shared, 'dicom/malformed');

/** True when the shared files outside the repository exist. */
export const haveSharedGenerator = existsSync(generator);
export const haveSharedFiles = existsSync(folder);

type Generate = (seed: string, index: number) => { name: string; class: string; data: Buffer };

/** Kinds that take about a second to generate, but little time to refuse. */
const slowKinds = new Set(['deflateBomb', 'manyElements']);

/** Generates files with the shared generator outside the repository. `slow` limits the files of each slow kind. */
export async function* sharedBrokenFiles(seed: string, count: number, slow = Infinity): AsyncGenerator<BrokenFile> {
  const { generate, CLASSES }: { generate: Generate; CLASSES: string[] } = await import(generator);
  for (let index = 0; index < count; index += 1) {
    if (index >= slow * CLASSES.length && slowKinds.has(CLASSES[index % CLASSES.length] ?? '')) continue;
    const { name, class: kind, data } = generate(seed, index);
    yield { name: `${kind} ${name}`, bytes: data };
  }
}

/** Reads the shared broken files outside the repository. */
export const malformedFiles = (): BrokenFile[] =>
  readdirSync(folder)
    .toSorted()
    .map((name) => ({ name, bytes: readFileSync(resolve(folder, name)) }));
