import { decodeFrame } from '#imaging/archive/pixels/decode-frame.ts';
import { checkCodestream } from '#imaging/archive/pixels/codestream.ts';
import { drawPicture } from './draw-image.ts';
import type { Picture, RenderJob } from '#imaging/archive/pixels/pixel-format.ts';

export type Rendered = { picture: Picture; hasBrokenDecoder: boolean };

/** Decodes and renders a frame. Throws NotRenderable or the error of a decoder. */
export const renderPicture = async (job: RenderJob): Promise<Rendered> => {
  checkCodestream(job.codec, job.frame, job.format);
  const { pixels, format, hasBrokenDecoder } = await decodeFrame(job.codec, job.frame, job.format);
  return { picture: drawPicture(pixels, format, job), hasBrokenDecoder };
};
