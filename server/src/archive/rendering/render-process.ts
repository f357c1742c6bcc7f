import { readSync } from 'node:fs';
import process from 'node:process';
import { encodePicture } from './encode-picture.ts';
import { NotRenderable } from './picture.ts';
import type { RenderReply, RenderRequest, SentRequest } from './render-messages.ts';
import { renderPicture } from './render-picture.ts';
import { isTrap } from './trap.ts';
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
    return { kind: 'picture', file: await encodePicture(picture, request.options), isBroken: hasBrokenDecoder };
  } catch (error) {
    const reason = error instanceof NotRenderable ? error.message : 'The compressed image is damaged.';
    return { kind: 'failure', reason, isBroken: isTrap(error) };
  }
};

const say = (reply: RenderReply) => process.send?.(reply);

/** Where render-pool.ts writes frames to. */
const pipe = 4;

/** Waits for the bytes: there is nothing else to do. They are gone with the server. */
const readFrame = (length: number): Uint8Array => {
  const frame = Buffer.allocUnsafeSlow(length);
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
say({ kind: 'ready' });
