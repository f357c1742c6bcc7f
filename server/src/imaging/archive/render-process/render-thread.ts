import { constants, setPriority } from 'node:os';
import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { NotRenderable } from '#imaging/archive/pixels/pixel-format.ts';
import type { ThreadReply, ThreadRequest } from './render-messages.ts';
import { renderUncompressed } from './render-uncompressed.ts';
import { warmUp } from './warm-up.ts';

/* Renders uncompressed frames for render-threads.ts, one after another. Never imports a decoder. */

const port = parentPort;
if (!port) throw new Error('This runs in a thread of its own');

/** Gives the memory of the frame back with the reply. */
const say = (reply: ThreadReply) =>
  port.postMessage(reply, 'frame' in reply && reply.frame instanceof ArrayBuffer ? [reply.frame] : []);

const answer = async ({ job, options }: ThreadRequest): Promise<ThreadReply> => {
  const frame = job.frame.buffer;
  try {
    return { kind: 'picture', file: await renderUncompressed(job, options), frame };
  } catch (error) {
    return { kind: 'failure', fault: error instanceof NotRenderable ? error.fault : 'damaged', frame };
  }
};

port.on('message', (request: ThreadRequest) => void answer(request).then(say));

const { isBackground }: { isBackground: boolean } = workerData;
// Only Linux gives each thread its own priority. Elsewhere, the whole server would get this priority.
if (isBackground && process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
await warmUp(renderUncompressed);
say({ kind: 'ready' });
