import { returnBuffer } from '#core/resources/buffer-pool.ts';
import { drawPicture } from './draw-image.ts';
import { encodePicture } from './encode-image.ts';
import { NotRenderable, type RenderJob } from '#imaging/archive/pixels/pixel-format.ts';
import type { RenderedOptions } from '#imaging/archive/render/rendered-options.ts';

/** Maximum number of pixels, as in a CT image. Rendering a larger image here would delay all other requests. */
const mostPixels = 1 << 18;
const mostBytes = 1 << 20;

/**
 * Returns whether this process renders faster than another process would. This is so for a small JPEG of a small
 * uncompressed frame. Compressed frames are never decoded here, because a hostile frame could crash the server.
 */
export const isRenderedInProcess = (
  { codec, frame, format }: RenderJob,
  { mediaType, viewport, seen }: RenderedOptions,
) =>
  codec === 'none' &&
  mediaType === 'image/jpeg' &&
  format.bitsAllocated <= 16 &&
  frame.length <= mostBytes &&
  format.rows * format.columns <= mostPixels &&
  (!viewport || viewport.rows * viewport.columns <= mostPixels) &&
  !seen;

/**
 * Renders a small uncompressed frame to a file. Throws NotRenderable, even for errors that would end a rendering
 * process.
 */
export const renderInProcess = async (job: RenderJob, options: RenderedOptions): Promise<Buffer> => {
  try {
    const picture = drawPicture(job.frame, job.format, job);
    const file = await encodePicture(picture, options);
    // Color pixels may share the buffer of the frame, which the caller owns.
    if (picture.pixels.buffer !== job.frame.buffer) returnBuffer(picture.pixels);
    return file;
  } catch (error) {
    if (error instanceof NotRenderable) throw error;
    throw new NotRenderable('damaged');
  }
};
