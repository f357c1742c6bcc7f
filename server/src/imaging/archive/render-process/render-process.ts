import { readSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import process from 'node:process';
import { returnBuffer, borrowBuffer } from '#core/resources/buffer-pool.ts';
import { encodePicture } from './encode-image.ts';
import { loadDecoders } from '#imaging/archive/pixels/decode-frame.ts';
import { NotRenderable } from '#imaging/archive/pixels/pixel-format.ts';
import type { RenderReply, RenderRequest, SentRequest } from './render-messages.ts';
import { renderPicture } from './render-picture.ts';
import { warmUp } from './warm-up.ts';
import { uncompressedFrame } from '#imaging/archive/pixels/uncompressed-frame.ts';

/**
 * Answers requests in a separate process. This limits what a hostile image can do to the server: the process has little
 * memory and no secrets, network or writable files. It is killed when it takes too long. Its output is discarded,
 * because libraries print what they read, such as patient names.
 */
const answer = async (request: RenderRequest): Promise<RenderReply> => {
  try {
    if (request.kind === 'decode') {
      const { hasBrokenDecoder, ...frame } = await uncompressedFrame(request.job);
      return { kind: 'decoded', frame, isBroken: hasBrokenDecoder };
    }
    const { picture, hasBrokenDecoder } = await renderPicture(request.job);
    // Encodes in this process: the reply is a hundred times smaller, and untrusted pixels do not leave the process.
    const file = await encodePicture(picture, request.options);
    returnBuffer(picture.pixels);
    returnBuffer(request.job.frame);
    return { kind: 'picture', file, isBroken: hasBrokenDecoder };
  } catch (error) {
    const fault = error instanceof NotRenderable ? error.fault : 'compressedDamaged';
    // After an error of a decoder, its memory may be damaged.
    return { kind: 'failure', fault, isBroken: !(error instanceof NotRenderable) };
  }
};

const say = (reply: RenderReply) => process.send?.(reply);

/** File descriptor of the pipe from render-pool.ts. */
const pipe = 4;

/** Waits for the bytes, because there is no other work. Exits when the server has ended. */
const readFrame = (length: number): Uint8Array => {
  const frame = borrowBuffer(length);
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

if (process.argv[2] === 'background') setPriority(constants.priority.PRIORITY_LOW);
// Decoders take longer to load than most images to decode.
await loadDecoders().catch(() => {});
await warmUp((job, options) => answer({ kind: 'render', job, options }));
say({ kind: 'ready' });
