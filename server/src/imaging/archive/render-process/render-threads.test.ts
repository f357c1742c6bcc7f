import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { LookupTable, Palette } from '@radwork/dicom/lookup-table';
import type { OverlayPlane } from '@radwork/dicom/overlay-planes';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { borrowBuffer, isLent, returnBuffer } from '#core/resources/buffer-pool.ts';
import { Problem } from '#core/http/problem.ts';
import { grayOf12Bits, NotRenderable, type RenderJob } from '#imaging/archive/pixels/pixel-format.ts';
import type { RenderedOptions } from '#imaging/archive/render/rendered-options.ts';
import { createRenderPool } from './render-pool.ts';
import { createRenderThreads } from './render-threads.ts';
import { isRenderedInThread } from './render-uncompressed.ts';

const pool = createRenderPool();
const threads = createRenderThreads();
afterAll(() => {
  pool.close();
  threads.close();
});

const options: RenderedOptions = {
  mediaType: 'image/png',
  quality: 90,
  viewport: undefined,
  region: undefined,
  window: undefined,
  hasColorProfile: false,
};

/** An odd number of rows and columns. */
const [rows, columns] = [13, 17];

const gray = grayOf12Bits(rows, columns);
const bytes = { bitsAllocated: 8, bitsStored: 8, highBit: 7 };
const colors = { ...bytes, samplesPerPixel: 3, photometricInterpretation: 'RGB' };
const window = { center: 1000, width: 1800, shape: 'linear' } as const;
const asStored = { slope: 1, intercept: 0 };

/** Pixels with many values in all bits, the same each time. */
const frameFor = ({ rows: height, columns: width, samplesPerPixel, bitsAllocated }: RenderJob['format']): Buffer => {
  const length = Math.ceil((height * width * samplesPerPixel * bitsAllocated) / 8);
  const frame = borrowBuffer(length);
  for (let index = 0; index < length; index += 1) frame[index] = (index * 37 + (index >> 3) * 11) & 255;
  return frame;
};

const table = (first: number, bits: number, valueOf: (index: number) => number): LookupTable => ({
  first,
  values: Uint16Array.from({ length: 256 }, (_, index) => valueOf(index)),
  bits,
});

const palette: Palette = [table(0, 8, (index) => index), table(0, 8, (index) => 255 - index), table(0, 8, () => 77)];

const plane: OverlayPlane = {
  group: '6000',
  rows,
  columns,
  top: 0,
  left: 0,
  isRegion: false,
  name: '',
  frames: 1,
  firstFrame: undefined,
  bitsPerPixel: 16,
  bitPosition: 14,
  isInPixels: true,
};

const over = {
  shutters: [],
  shutterColor: [0, 0, 0] as const,
  shutterGroup: undefined,
  planes: [],
  planesInPixels: [],
};

type Case = Partial<Omit<RenderJob, 'format' | 'appearance'>> & {
  format?: Partial<RenderJob['format']>;
  appearance?: { [Name in keyof RenderJob['appearance']]?: RenderJob['appearance'][Name] | undefined };
  options?: Partial<RenderedOptions>;
};

const cases: Record<string, Case> = {
  'unsigned values of 12 bits': {},
  'unsigned values of 16 bits': { format: { bitsStored: 16, highBit: 15 } },
  'values of 8 bits': { format: bytes, appearance: { window: { ...window, center: 128, width: 200 } } },
  'values of one bit': { format: { bitsAllocated: 1, bitsStored: 1, highBit: 0 }, appearance: { window: undefined } },
  'signed values of 12 bits': { format: { isSigned: true }, appearance: { window: { ...window, center: 0 } } },
  'signed values of 16 bits': { format: { isSigned: true, bitsStored: 16, highBit: 15 } },
  'values in the high bits of a cell': { format: { bitsStored: 10, highBit: 15 } },
  'a high bit that DICOM does not allow': { format: { bitsStored: 12, highBit: 9 } },
  MONOCHROME1: { format: { photometricInterpretation: 'MONOCHROME1' } },
  'a window of LINEAR_EXACT': { appearance: { window: { ...window, shape: 'linear-exact' } } },
  'a window of SIGMOID': { appearance: { window: { ...window, shape: 'sigmoid' } } },
  'a window of width 1': { appearance: { window: { ...window, width: 1 } } },
  'a rescale': { appearance: { slope: 2.5, intercept: -1024 } },
  'a modality table': { appearance: { modalityLut: table(100, 12, (index) => 4000 - 15 * index) } },
  'a VOI table': { appearance: { window: undefined, voiLut: table(500, 10, (index) => 3 * index) } },
  'no window': { appearance: { window: undefined } },
  'no window, with padding': { appearance: { window: undefined, padding: [0, 500] } },
  'RGB by pixel': { format: colors },
  'RGB by plane': { format: { ...colors, isPlanar: true } },
  'RGB of 16 bits': { format: { ...colors, bitsAllocated: 16, bitsStored: 16, highBit: 15 } },
  YBR_FULL: { format: { ...colors, photometricInterpretation: 'YBR_FULL' } },
  'a palette': { format: { ...bytes, photometricInterpretation: 'PALETTE COLOR' }, palette },
  'a supplemental palette': {
    appearance: { firstColor: 3000 },
    supplementalPalette: palette.map((one) => ({ ...one, first: 3000 })) as Palette,
  },
  'an overlay plane in unused bits': { over: { ...over, planesInPixels: [plane] } },
  'a shutter in color': {
    over: {
      ...over,
      shutterColor: [200, 30, 30],
      shutters: [
        [
          { x: 2, y: 2 },
          { x: 9, y: 2 },
          { x: 9, y: 9 },
        ],
      ],
    },
  },
  'pixels that are not square': { shape: { wide: 1, tall: 2 } },
  'a JPEG': { options: { mediaType: 'image/jpeg' } },
  'a JPEG of colors with a profile': { format: colors, options: { mediaType: 'image/jpeg', hasColorProfile: true } },
  'a small viewport': { options: { viewport: { columns: 8, rows: 8 } } },
  'a region': {
    options: { region: { left: 2, top: 3, columns: 7, rows: 5, isMirrored: true, isUpsideDown: false } },
  },
  'a frame in a buffer of the pool': { format: { rows: 301, columns: 307 } },
};

const jobOf = ({ format, appearance, ...layers }: Omit<Case, 'options'>): RenderJob => {
  const whole = { ...gray, ...format };
  const look = Object.entries({ ...asStored, window, ...appearance }).filter(([, value]) => value !== undefined);
  return {
    frame: frameFor(whole),
    codec: 'none',
    format: whole,
    appearance: Object.fromEntries(look) as RenderJob['appearance'],
    ...layers,
  };
};

const made = new Set<string>();

test.for(Object.entries(cases))('renders %s in a thread to the same file as in a process', async ([, one]) => {
  const { options: changed, ...layers } = one;
  const wanted = { ...options, ...changed };
  const fromProcess = await pool.render(1, jobOf(layers), wanted);
  const job = jobOf(layers);

  expect(isRenderedInThread(job)).toBe(true);
  const fromThread = await threads.render(job, wanted);

  expect(fromThread.equals(fromProcess)).toBe(true);
  // A case that looks like another one would not test what it claims.
  const file = fromThread.toString('base64');
  expect(made.has(file)).toBe(false);
  made.add(file);
});

test('a thread gives the memory of a frame back to the pool', async () => {
  const job = jobOf({ format: { rows: 600, columns: 700 } });
  const size = job.frame.buffer.byteLength;
  expect(isLent(job.frame)).toBe(true);

  await threads.render(job, options);

  expect(job.frame.length).toBe(0);
  returnBuffer(job.frame);
  expect(borrowBuffer(2 * 600 * 700).buffer.byteLength).toBe(size);
});

test('the caller keeps a frame that it did not borrow', async () => {
  const job = jobOf({});
  const frame = Buffer.from(job.frame);

  await threads.render({ ...job, frame }, options);

  expect(frame.equals(job.frame)).toBe(true);
});

test('refuses a truncated or empty frame in a thread and renders the next one', async () => {
  const job = jobOf({});
  const truncated = { ...job, frame: job.frame.subarray(0, 100) };

  await expect(threads.render(truncated, options)).rejects.toThrow(new NotRenderable('incomplete'));
  await expect(threads.render(jobOf({ format: { rows: 0 } }), options)).rejects.toThrow(new NotRenderable('damaged'));
  expect(await threads.render(job, options)).not.toHaveLength(0);
});

test('leaves compressed, long and very large samples to a process', () => {
  const job = jobOf({});
  const withFormat = (format: Partial<RenderJob['format']>) => ({ ...job, format: { ...job.format, ...format } });

  expect(isRenderedInThread({ ...job, codec: 'rle' })).toBe(false);
  expect(isRenderedInThread({ ...job, codec: 'jpeg' })).toBe(false);
  expect(isRenderedInThread(withFormat({ bitsAllocated: 32 }))).toBe(false);
  expect(isRenderedInThread(withFormat({ rows: 4097, columns: 4096 }))).toBe(false);
  expect(isRenderedInThread({ ...job, frame: Buffer.alloc((32 << 20) + 2) })).toBe(false);
});

/** Counts the threads that start before the end of the test. */
const countThreads = () => {
  const started: unknown[] = [];
  const note = (message: unknown) => started.push(message);
  subscribe('worker_threads', note);
  onTestFinished(() => void unsubscribe('worker_threads', note));
  return started;
};

const openThreads = (settings: Parameters<typeof createRenderThreads>[0]) => {
  const opened = createRenderThreads(settings);
  onTestFinished(opened.close);
  return opened;
};

test('starts at most two threads for many images', async () => {
  const started = countThreads();
  const own = openThreads({});

  const files = await Promise.all(Array.from({ length: 8 }, () => own.render(jobOf({}), options)));

  expect(new Set(files.map((file) => file.toString('base64'))).size).toBe(1);
  expect(started).toHaveLength(2);
});

test('replaces a thread that takes too long, with a 503', async () => {
  const started = countThreads();
  const own = openThreads({ size: 1, timeLimit: 1 });
  const large = () => own.render(jobOf({ format: { rows: 2000, columns: 2000 } }), options);

  await expect(large()).rejects.toThrow(Problem);
  await expect(large()).rejects.toMatchObject({ status: 503, error: 'rendering.timeout' });

  expect(started).toHaveLength(2);
});

test('an idle thread ends only when another one is ready', async () => {
  const own = openThreads({ idleLimit: 1 });
  await Promise.all([1, 2, 3].map(() => own.render(jobOf({}), options)));

  await new Promise((done) => setTimeout(done, 50));

  expect(own.isReady()).toBe(true);
});

test('a thread in the background renders the same and ends without work', async () => {
  const own = openThreads({ size: 1, idleLimit: 1, isBackground: true });

  const file = await own.render(jobOf({}), options);

  expect(file.equals(await threads.render(jobOf({}), options))).toBe(true);
  await expect.poll(() => own.isReady()).toBe(false);
});

test('images that wait for a thread fail with 503 when the server stops', async () => {
  const own = createRenderThreads();
  const rendering = [1, 2, 3].map(() => own.render(jobOf({}), options));

  own.close();

  const outcomes = await Promise.allSettled(rendering);
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.status)).toEqual([503, 503, 503]);
  await expect(own.render(jobOf({}), options)).rejects.toMatchObject({ status: 503 });
});

const server = resolve(import.meta.dirname, '../../../..');

/** Returns the files that a module of the server imports at run time, and those that these import. */
const importsOf = (path: string, known = new Set<string>()): Set<string> => {
  if (known.has(path)) return known;
  known.add(path);
  for (const [, type, name = ''] of readFileSync(path, 'utf8').matchAll(
    /^(?:import|export) (type )?[^;]*?from '([^']+)';/gms,
  )) {
    if (type) continue;
    if (name.startsWith('#')) importsOf(join(server, 'src', name.slice(1)), known);
    else if (name.startsWith('.')) importsOf(resolve(dirname(path), name), known);
    else known.add(name);
  }
  return known;
};

test('the program of a thread imports no decoder', () => {
  const imported = [...importsOf(join(import.meta.dirname, 'render-thread.ts'))];

  expect(imported).toContain(join(import.meta.dirname, 'draw-image.ts'));
  expect(imported.filter((path) => /decode|codec/.test(path))).toEqual([]);
});
