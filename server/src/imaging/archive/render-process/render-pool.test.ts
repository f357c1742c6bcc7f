import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { compressed } from '#test/compress-pixels.ts';
import { grayOf12Bits, NotRenderable, type RenderJob } from '#imaging/archive/pixels/pixel-format.ts';
import { timeFor } from './render-limits.ts';
import { createRenderPool } from './render-pool.ts';
import type { RenderedOptions } from '#imaging/archive/render/rendered-options.ts';

const tenant = 1;
const pool = createRenderPool();
afterAll(pool.close);

const appearance: RenderJob['appearance'] = {
  slope: 1,
  intercept: 0,
  window: { center: 128, width: 256, shape: 'linear-exact' },
};

const pixels = Buffer.from(Uint16Array.from({ length: 256 }, (_, index) => index).buffer);
const upward = Array.from({ length: 256 }, (_, index) => Math.round((index * 255) / 256));

const jpegLs = '1.2.840.10008.1.2.4.80';
const jpeg2000 = '1.2.840.10008.1.2.4.90';

const job = (codec: RenderJob['codec'], frame: Buffer, size = 16): RenderJob => ({
  frame,
  codec,
  format: grayOf12Bits(size, size),
  appearance,
});

const good = [
  job('none', pixels),
  job('jpeg-ls', compressed(pixels, jpegLs, 16, 16)),
  job('jpeg2000', compressed(pixels, jpeg2000, 16, 16)),
];

const exact: RenderedOptions = {
  mediaType: 'image/png',
  quality: 90,
  hasColorProfile: false,
  viewport: undefined,
  region: undefined,
  window: undefined,
};

const graysOf = async (one: RenderJob) => {
  const picture = sharp(await pool.render(tenant, one, exact));
  return [...(await picture.extractChannel(0).raw().toBuffer())];
};

test('a damaged frame fails, and the good frames before and after it are rendered', async () => {
  const damaged = ['jpeg-ls', 'jpeg2000'].flatMap((codec) => {
    const source = good.find((one) => one.codec === codec)?.frame ?? pixels;
    // Damages bytes after the headers, where only a decoder finds the damage.
    return [20, 60].map((fromEnd) => {
      const frame = Buffer.from(source);
      frame.fill(0xff, frame.length - fromEnd - 8, frame.length - fromEnd);
      return job(codec === 'jpeg-ls' ? 'jpeg-ls' : 'jpeg2000', frame);
    });
  });

  const rendered = await Promise.all(
    damaged.flatMap((poison) => [pool.render(tenant, poison, exact).catch(() => undefined), ...good.map(graysOf)]),
  );

  const ofGood = rendered.filter((_, index) => index % (good.length + 1) !== 0);
  expect(ofGood).toEqual(Array.from({ length: damaged.length * good.length }, () => upward));
});

test('replaces a decoder after many refused frames, because each refusal loses memory', async () => {
  const alone = createRenderPool({ size: 1 });
  const refused = Buffer.from(compressed(pixels, jpeg2000, 16, 16));
  // The frame now states more bits than the decoder supports (ITU-T T.800 §A.5.1).
  refused[42] = 31;
  const large = 256;
  const noise = randomBytes(2 * large * large).map((byte, index) => (index % 2 === 0 ? byte : byte & 0x0f));
  const valid = job('htj2k', compressed(Buffer.from(noise), '1.2.840.10008.1.2.4.201', large, large), large);

  const decoded: Buffer[] = [];
  for (let round = 0; round < 8; round += 1) {
    await expect(alone.decode(tenant, job('jpeg2000', refused))).rejects.toThrow(NotRenderable);
    decoded.push(Buffer.from((await alone.decode(tenant, valid)).pixels));
  }
  alone.close();

  expect(decoded.map((one) => one.equals(noise))).toEqual(Array.from({ length: 8 }, () => true));
});

test('a small file that claims a huge image ends only one rendering process, which is replaced', async () => {
  const size = 20_000;
  const bomb = Buffer.from(compressed(pixels, jpeg2000, 16, 16));
  for (const at of [8, 12, 24, 28]) bomb.writeUInt32BE(size, at);

  await expect(pool.render(tenant, job('jpeg2000', bomb, size), exact)).rejects.toThrow(NotRenderable);

  expect(await Promise.all(good.map(graysOf))).toEqual([upward, upward, upward]);
});

test('cancels an image that takes too long and renders the next one', async () => {
  const impatient = createRenderPool({ size: 1, timeLimit: 1 });
  const large = 1024;
  const noise = randomBytes(2 * large * large).map((byte, index) => (index % 2 === 0 ? byte : byte & 0x0f));
  const slow = job('jpeg-ls', compressed(Buffer.from(noise), jpegLs, large, large), large);

  await expect(impatient.render(tenant, slow, exact)).rejects.toMatchObject({
    status: 503,
    error: 'rendering.timeout',
    retryAfterSeconds: 30,
  });
  impatient.close();

  expect(await graysOf(slow)).toHaveLength(large * large);
});

test('slow images of one tenant do not delay images of another tenant', async () => {
  const shared = createRenderPool({ size: 1 });
  const large = 1024;
  const noise = randomBytes(2 * large * large).map((byte, index) => (index % 2 === 0 ? byte : byte & 0x0f));
  const slow = job('jpeg-ls', compressed(Buffer.from(noise), jpegLs, large, large), large);
  const ended: string[] = [];
  const renderAs = (tenantId: number, name: string, one: RenderJob) =>
    shared.decode(tenantId, one).then(() => ended.push(name));

  await Promise.all([
    renderAs(1, 'first of many', slow),
    renderAs(1, 'second of many', slow),
    renderAs(1, 'third of many', slow),
    renderAs(2, 'one', job('none', pixels)),
  ]);
  shared.close();

  expect(ended.indexOf('one')).toBeLessThan(ended.indexOf('second of many'));
});

test('a small file that claims a large image gets no more rendering time than a small image does', () => {
  const claimed = grayOf12Bits(7000, 7000);

  expect([874, 20_000, 10_000_000].map((bytes) => timeFor(claimed, bytes, 15_000))).toEqual([5043.7, 6000, 15_000]);
});

test('rejects waiting requests when the server stops', async () => {
  const closing = createRenderPool({ size: 1 });
  const waiting = closing.render(tenant, job('none', pixels), exact);

  closing.close();

  await expect(waiting).rejects.toThrow('The server is shutting down. Try again in a moment.');
  await expect(closing.render(tenant, job('none', pixels), exact)).rejects.toThrow(
    'The server is shutting down. Try again in a moment.',
  );
});
