import { decodeFrame } from './codecs.ts';
import { checkCodestream } from './codestream.ts';
import { drawPicture } from './draw-picture.ts';
import type { Picture, RenderJob } from './picture.ts';

export type Rendered = { picture: Picture; hasBrokenDecoder: boolean };

/** Decodes and renders a frame. Throws NotRenderable or the error of a decoder. */
export const renderPicture = async (job: RenderJob): Promise<Rendered> => {
  checkCodestream(job.codec, job.frame, job.format);
  const { pixels, format, hasBrokenDecoder } = await decodeFrame(job.codec, job.frame, job.format);
  return { picture: drawPicture(pixels, format, job), hasBrokenDecoder };
};
