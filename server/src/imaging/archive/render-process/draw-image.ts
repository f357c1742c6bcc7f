import type { LookupTable, Palette } from '@radwork/dicom/lookup-table';
import { colorBytesOf } from '@radwork/dicom/supplemental-palette';
import { returnBuffer } from '#core/resources/buffer-pool.ts';
import { interleaved, rgbOfYbr } from '#imaging/archive/pixels/color-spaces.ts';
import { grayValuesOf } from './gray-values.ts';
import { drawOverPixels } from './draw-over-pixels.ts';
import { NotRenderable, type Picture, type PixelFormat, type RenderJob } from '#imaging/archive/pixels/pixel-format.ts';
import { type Samples, samplesOf } from './pixel-samples.ts';

/** Renders the pixels of an uncompressed or decoded frame. Throws NotRenderable. */
export const drawPicture = (pixels: Uint8Array, format: PixelFormat, { shape, over, ...look }: Look): Picture => {
  const picture = format.samplesPerPixel === 1 ? drawGrayscale(pixels, format, look) : drawColor(pixels, format);
  return { ...(over ? drawOverPixels(picture, pixels, over) : picture), ...(shape && { shape }) };
};

type Look = Pick<RenderJob, 'appearance' | 'palette' | 'supplementalPalette' | 'shape' | 'over'>;

const drawGrayscale = (pixels: Uint8Array, format: PixelFormat, look: Look): Picture => {
  const { appearance, palette, supplementalPalette } = look;
  const { columns, rows } = format;
  if (palette) return { columns, rows, channels: 3, pixels: colorsOf(samplesOf(pixels, format), palette) };
  const grays = grayValuesOf(pixels, format, appearance);
  if (!supplementalPalette) return { columns, rows, channels: 1, pixels: grays };
  const colored = withColors(grays, samplesOf(pixels, format), supplementalPalette);
  returnBuffer(grays);
  return { columns, rows, channels: 3, pixels: colored };
};

/** Returns grays as RGB, and the values from the first value of a palette on in its colors (PS3.3 §C.7.6.19). */
const withColors = (grays: Uint8Array, samples: Samples, palette: Palette): Uint8Array => {
  const { first, tables } = colorBytesOf(palette);
  const rgb = new Uint8Array(3 * samples.length);
  for (let index = 0; index < samples.length; index += 1) {
    const entry = (samples[index] ?? 0) - first;
    for (const [channel, table] of tables.entries()) {
      const color = table[Math.min(entry, table.length - 1)] ?? 0;
      rgb[3 * index + channel] = entry < 0 ? (grays[index] ?? 0) : color;
    }
  }
  return rgb;
};

const colorsOf = (samples: Samples, palette: readonly LookupTable[]): Uint8Array => {
  const tables = palette.map(({ values, first, bits }) => ({
    first,
    bytes: values.map((value) => value >> Math.max(0, bits - 8)),
  }));
  const rgb = new Uint8Array(3 * samples.length);
  for (const [channel, { first, bytes }] of tables.entries()) {
    for (let index = 0; index < samples.length; index += 1) {
      const entry = Math.min(Math.max((samples[index] ?? 0) - first, 0), bytes.length - 1);
      rgb[3 * index + channel] = bytes[entry] ?? 0;
    }
  }
  return rgb;
};

const drawColor = (pixels: Uint8Array, format: PixelFormat): Picture => {
  const { columns, rows, samplesPerPixel, photometricInterpretation } = format;
  if (samplesPerPixel !== 3) throw new NotRenderable('unknownChannels');
  const bytes = bytesOf(samplesOf(pixels, format), format);
  const together = format.isPlanar ? interleaved(bytes) : bytes;
  return { columns, rows, channels: 3, pixels: rgbOf(together, photometricInterpretation) };
};

/** Uses the upper eight of the stored bits. */
const bytesOf = (samples: Samples, { bitsStored }: PixelFormat): Uint8Array => {
  if (samples instanceof Uint8Array) return samples;
  const shift = Math.max(0, bitsStored - 8);
  const bytes = new Uint8Array(samples.length);
  for (let index = 0; index < samples.length; index += 1) bytes[index] = (samples[index] ?? 0) >> shift;
  return bytes;
};

/**
 * Returns the colors as RGB. A JPEG decoder returns the compressed color space, and a JPEG 2000 decoder already
 * converts to RGB.
 */
const rgbOf = (colors: Uint8Array, photometricInterpretation: string): Uint8Array => {
  if (photometricInterpretation.startsWith('YBR_FULL')) return rgbOfYbr(colors, 'full');
  if (photometricInterpretation.startsWith('YBR_PARTIAL')) return rgbOfYbr(colors, 'partial');
  return colors;
};
