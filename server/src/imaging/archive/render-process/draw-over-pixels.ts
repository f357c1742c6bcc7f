import type { Color } from '@radwork/dicom/cielab';
import { eachHiddenRun } from '@radwork/dicom/display-shutter';
import { eachMarkedPixel, type PlaneBits, planeBitsIn } from '@radwork/dicom/overlay-planes';
import type { OverPixels, Picture } from '#imaging/archive/pixels/pixel-format.ts';

/** From this gray on, an overlay is drawn in black, because white would not be visible. */
const bright = 192;

/**
 * Returns a picture with the shutters and overlay planes of its file. Overlay planes are drawn over a shutter, as PS3.4
 * §N.2 says. `pixels` are the uncompressed pixels of the frame.
 */
export const drawOverPixels = (picture: Picture, pixels: Uint8Array, over: OverPixels): Picture => {
  const planes: PlaneBits[] = [...over.planes, ...over.planesInPixels.map((plane) => planeBitsIn(plane, pixels))];
  const isShutter = ({ plane }: PlaneBits) => plane.group === over.shutterGroup;
  const bitmaps = planes.filter(isShutter);
  const isShuttered = over.shutters.length + bitmaps.length > 0;
  const drawn = isShuttered && !isGray(over.shutterColor) ? inColor(picture) : picture;
  const { columns, rows, channels } = drawn;
  const image = { columns, rows };
  // Colors may share the memory of the frame, in which overlay planes lie.
  const target = drawn.pixels.buffer === pixels.buffer ? new Uint8Array(drawn.pixels) : drawn.pixels;
  const hide = (index: number) => {
    for (let channel = 0; channel < channels; channel += 1)
      target[channels * index + channel] = over.shutterColor[channel] ?? 0;
  };
  eachHiddenRun(over.shutters, image, (row, start, end) => {
    for (let column = start; column < end; column += 1) hide(row * columns + column);
  });
  // A shutter hides its whole area, and is never drawn as the outline of a region.
  for (const bitmap of bitmaps)
    eachMarkedPixel({ ...bitmap, plane: { ...bitmap.plane, isRegion: false } }, image, hide);
  for (const plane of planes) {
    if (isShutter(plane)) continue;
    eachMarkedPixel(plane, image, (index) => {
      const at = channels * index;
      const below = channels === 1 ? (target[at] ?? 0) : brightnessOf(target, at);
      target.fill(below >= bright ? 0 : 255, at, at + channels);
    });
  }
  return { ...drawn, pixels: target };
};

const isGray = ([red, green, blue]: Color): boolean => red === green && green === blue;

/** Returns a picture in three channels. */
const inColor = (picture: Picture): Picture => {
  if (picture.channels === 3) return picture;
  const pixels = new Uint8Array(3 * picture.pixels.length);
  for (const [index, gray] of picture.pixels.entries()) pixels.fill(gray, 3 * index, 3 * index + 3);
  return { ...picture, channels: 3, pixels };
};

/** Luminance of a color (ITU-R BT.601). */
const brightnessOf = (rgb: Uint8Array, at: number): number =>
  0.299 * (rgb[at] ?? 0) + 0.587 * (rgb[at + 1] ?? 0) + 0.114 * (rgb[at + 2] ?? 0);
