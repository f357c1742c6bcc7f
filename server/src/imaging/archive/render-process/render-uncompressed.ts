import { returnBuffer } from '#core/resources/buffer-pool.ts';
import { drawPicture } from './draw-image.ts';
import { encodePicture } from './encode-image.ts';
import { NotRenderable, type RenderJob } from '#imaging/archive/pixels/pixel-format.ts';
import type { RenderedOptions } from '#imaging/archive/render/rendered-options.ts';

/** Largest frame that a thread renders: a mammogram. A rendering process has its own memory for larger ones. */
const mostPixelsInThread = 1 << 24;
const mostBytesInThread = 32 << 20;

/**
 * Returns whether a thread of the server may render a frame: an uncompressed one of at most 16 bits. Compressed frames
 * are never decoded in the server, because a hostile frame could crash it. Longer samples are rare, and their values
 * take several times the memory of the frame.
 */
export const isRenderedInThread = ({ codec, frame, format }: RenderJob): boolean =>
  codec === 'none' &&
  format.bitsAllocated <= 16 &&
  frame.length <= mostBytesInThread &&
  format.rows * format.columns <= mostPixelsInThread;

/** Maximum number of pixels, as in a CT image. Rendering a larger image here would delay all other requests. */
const mostPixels = 1 << 18;
const mostBytes = 1 << 20;

/**
 * Returns whether the main thread renders faster than another process would. This is so for a small JPEG of a small
 * uncompressed frame.
 */
export const isRenderedHere = (job: RenderJob, { mediaType, viewport, seen }: RenderedOptions): boolean =>
  isRenderedInThread(job) &&
  mediaType === 'image/jpeg' &&
  job.frame.length <= mostBytes &&
  job.format.rows * job.format.columns <= mostPixels &&
  (!viewport || viewport.rows * viewport.columns <= mostPixels) &&
  !seen;

/**
 * Renders an uncompressed frame to a file. Throws NotRenderable, even for errors that would end a rendering process.
 */
export const renderUncompressed = async (job: RenderJob, options: RenderedOptions): Promise<Buffer> => {
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
