import { readSync } from 'node:fs';
import process from 'node:process';
import { giveBack, lendBuffer } from '#archive/lent-buffers.ts';
import { encodePicture } from './encode-picture.ts';
import { NotRenderable, type RenderJob } from './picture.ts';
import type { RenderReply, RenderRequest, SentRequest } from './render-messages.ts';
import { renderPicture } from './render-picture.ts';
import { uncompressedFrame } from './uncompressed-frame.ts';

/**
 * A process of its own for decoding (design/security.md D5): what a hostile image can do ends here. It has no
 * secrets, no files to write and no network, little memory, and is killed when it takes too long. Its output goes
 * nowhere: libraries that print what they read would print patients.
 */
const answer = async (request: RenderRequest): Promise<RenderReply> => {
  try {
    if (request.kind === 'decode') {
      const { hasBrokenDecoder, ...frame } = await uncompressedFrame(request.job);
      return { kind: 'decoded', frame, isBroken: hasBrokenDecoder };
    }
    const { picture, hasBrokenDecoder } = await renderPicture(request.job);
    // Encoded here, so that a hundredth of the bytes goes back, and the pixels of a stranger stay.
    const file = await encodePicture(picture, request.options);
    giveBack(picture.pixels);
    giveBack(request.job.frame);
    return { kind: 'picture', file, isBroken: hasBrokenDecoder };
  } catch (error) {
    const reason = error instanceof NotRenderable ? error.message : 'The compressed image is damaged.';
    // What a decoder throws, a trap or words of its own, leaves its memory as it was in the middle of its work.
    return { kind: 'failure', reason, isBroken: !(error instanceof NotRenderable) };
  }
};

const say = (reply: RenderReply) => process.send?.(reply);

/** Where render-pool.ts writes frames to. */
const pipe = 4;

/** Waits for the bytes: there is nothing else to do. They are gone with the server. */
const readFrame = (length: number): Uint8Array => {
  const frame = lendBuffer(length);
  for (let have = 0; have < length;) {
    const bytes = readSync(pipe, frame, have, length - have, null);
    if (bytes === 0) process.exit();
    have += bytes;
  }
  return frame;
};

process.on('message', ({ request, frameBytes }: SentRequest) => {
  request.job.frame = readFrame(frameBytes);
  void answer(request).then(say);
});

/** The first picture of a process takes eight times as long as the next: nobody is to wait for it. */
const warmUp = () => {
  const [rows, columns] = [64, 64];
  const format = { rows, columns, samplesPerPixel: 1, bitsAllocated: 16, bitsStored: 12, highBit: 11 };
  const job: RenderJob = {
    frame: new Uint8Array(2 * rows * columns),
    codec: 'none',
    format: { ...format, isSigned: false, isFloat: false, isPlanar: false, photometricInterpretation: 'MONOCHROME2' },
    appearance: { slope: 1, intercept: 0, window: { center: 0, width: 400, shape: 'linear' } },
  };
  const options = {
    mediaType: 'image/jpeg' as const,
    quality: 90,
    viewport: undefined,
    region: undefined,
    window: undefined,
  };
  return answer({ kind: 'render', job, options: { ...options, hasColourProfile: false } });
};

await warmUp();
say({ kind: 'ready' });
