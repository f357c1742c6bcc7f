import { giveBack } from '#archive/lent-buffers.ts';
import { drawPicture } from './draw-picture.ts';
import { encodePicture } from './encode-picture.ts';
import { NotRenderable, type RenderJob } from './picture.ts';
import type { RenderedOptions } from './rendered-options.ts';

/** As many as a CT has. More would keep everybody waiting who asks this server for anything. */
const mostPixels = 1 << 18;
const mostBytes = 1 << 20;

/**
 * Whether a picture is made in less time than it would take to have a rendering process make it: a small JPEG of a small
 * frame that is not compressed. Nothing compressed is ever decoded here (design/security.md D5).
 */
export const isMadeHere = ({ codec, frame, format }: RenderJob, { mediaType, viewport, seen }: RenderedOptions) =>
  codec === 'none' &&
  mediaType === 'image/jpeg' &&
  format.bitsAllocated <= 16 &&
  frame.length <= mostBytes &&
  format.rows * format.columns <= mostPixels &&
  (!viewport || viewport.rows * viewport.columns <= mostPixels) &&
  !seen;

/** Such a picture as a file. Throws NotRenderable, also where a rendering process would have broken. */
export const renderHere = async (job: RenderJob, options: RenderedOptions): Promise<Buffer> => {
  try {
    const picture = drawPicture(job.frame, job.format, job);
    const file = await encodePicture(picture, options);
    // Colours may be those of the frame, which is not ours.
    if (picture.pixels.buffer !== job.frame.buffer) giveBack(picture.pixels);
    return file;
  } catch (error) {
    if (error instanceof NotRenderable) throw error;
    throw new NotRenderable('The image is damaged.');
  }
};
