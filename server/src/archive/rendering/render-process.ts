import process from 'node:process';
import { isTrap, loadDecoders } from './codecs.ts';
import { encodePicture } from './encode-picture.ts';
import { NotRenderable } from './picture.ts';
import type { RenderReply, RenderRequest } from './render-messages.ts';
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
    return { kind: 'picture', file: await encodePicture(picture, request.options), isBroken: hasBrokenDecoder };
  } catch (error) {
    const reason = error instanceof NotRenderable ? error.message : 'The compressed image is damaged.';
    return { kind: 'failure', reason, isBroken: isTrap(error) };
  }
};

const say = (reply: RenderReply) => process.send?.(reply);

process.on('message', (request: RenderRequest) => void answer(request).then(say));
await loadDecoders();
say({ kind: 'ready' });
