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
  const { columns, rows, channels } = picture;
  const image = { columns, rows };
  // Colors may share the memory of the frame, in which overlay planes lie.
  const target = picture.pixels.buffer === pixels.buffer ? new Uint8Array(picture.pixels) : picture.pixels;
  eachHiddenRun(over.shutters, image, (row, start, end) =>
    target.fill(over.shutterGray, channels * (row * columns + start), channels * (row * columns + end)),
  );
  const planes: PlaneBits[] = [...over.planes, ...over.planesInPixels.map((plane) => planeBitsIn(plane, pixels))];
  for (const plane of planes) {
    eachMarkedPixel(plane, image, (index) => {
      const at = channels * index;
      const below = channels === 1 ? (target[at] ?? 0) : brightnessOf(target, at);
      target.fill(below >= bright ? 0 : 255, at, at + channels);
    });
  }
  return { ...picture, pixels: target };
};

/** Luminance of a color (ITU-R BT.601). */
const brightnessOf = (rgb: Uint8Array, at: number): number =>
  0.299 * (rgb[at] ?? 0) + 0.587 * (rgb[at + 1] ?? 0) + 0.114 * (rgb[at + 2] ?? 0);
