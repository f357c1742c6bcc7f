import { Worker } from 'node:worker_threads';
import { isLent, returnFromThread } from '#core/resources/buffer-pool.ts';
import { NotRenderable, type RenderJob } from '#imaging/archive/pixels/pixel-format.ts';
import type { RenderedOptions } from '#imaging/archive/render/rendered-options.ts';
import type { ThreadReply, ThreadRequest } from './render-messages.ts';
import { didNotStart, stopping, tookTooLong } from './render-limits.ts';

type Task = {
  job: RenderJob;
  options: RenderedOptions;
  resolve: (file: Buffer) => void;
  reject: (error: Error) => void;
};
type Thread = { worker: Worker; isReady: boolean; task?: Task | undefined; timer?: NodeJS.Timeout | undefined };

const program = new URL('./render-thread.ts', import.meta.url);

const startingTakesAtMost = 30_000;
/** Milliseconds for one image. The largest takes less than a second; only a defect or a stalled machine takes more. */
const longestRendering = 60_000;
/** Megabytes of JavaScript objects. The memory of frames and images is bounded by `isRenderedInThread`. */
const mostMegabytes = 128;

/**
 * Renders uncompressed frames in a few threads, which start on demand or in advance. The frame is not copied, unlike on
 * its way to a rendering process. A thread never decodes. A thread that fails or takes too long is replaced, and only
 * its frame fails. Threads end after `idleLimit` ms without work, except the last one, which stays warm. `isBackground`:
 * the threads have the lowest priority, and none stays.
 */
export const createRenderThreads = ({
  size = 2,
  timeLimit = longestRendering,
  idleLimit = 60_000,
  isBackground = false,
} = {}) => {
  const threads = new Set<Thread>();
  const waiting: Task[] = [];
  let isClosed = false;

  const dismiss = (thread: Thread) => {
    clearTimeout(thread.timer);
    threads.delete(thread);
    void thread.worker.terminate();
  };

  const rest = (thread: Thread) => {
    const endIfSpare = () => {
      const ready = [...threads].filter(({ isReady }) => isReady);
      if (isBackground || ready.length > 1) dismiss(thread);
    };
    thread.timer = setTimeout(endIfSpare, idleLimit).unref();
  };

  const finish = (thread: Thread, end: (task: Task) => void) => {
    const { task } = thread;
    clearTimeout(thread.timer);
    thread.task = undefined;
    if (threads.has(thread)) rest(thread);
    if (task) end(task);
    distribute();
  };

  /** Replaces a thread that has ended, or did not become ready. */
  const lose = (thread: Thread, error: Error) => {
    if (!threads.has(thread)) return;
    dismiss(thread);
    // Without this, a machine where threads fail to start would start them forever.
    const [first] = thread.isReady ? [] : waiting.splice(0, 1);
    first?.reject(didNotStart());
    finish(thread, ({ reject }) => reject(error));
  };

  const onReply = (thread: Thread, reply: ThreadReply) => {
    if (!threads.has(thread)) return;
    if ('frame' in reply && reply.frame instanceof ArrayBuffer) returnFromThread(reply.frame);
    if (reply.kind === 'ready') thread.isReady = true;
    finish(thread, ({ resolve, reject }) => {
      if (reply.kind === 'picture') resolve(bufferOf(reply.file));
      else if (reply.kind === 'failure') reject(new NotRenderable(reply.fault));
    });
  };

  const start = () => {
    const worker = new Worker(program, {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
      workerData: { isBackground },
    });
    const thread: Thread = { worker, isReady: false };
    threads.add(thread);
    thread.timer = setTimeout(() => lose(thread, didNotStart()), startingTakesAtMost);
    worker.on('message', (reply: ThreadReply) => onReply(thread, reply));
    worker.on('error', () => lose(thread, new NotRenderable('damaged')));
    worker.on('exit', () => lose(thread, new NotRenderable('damaged')));
    // The timer of a running task keeps the program running. An idle thread does not.
    worker.unref();
  };

  const give = (thread: Thread, task: Task) => {
    const { job, options } = task;
    const { buffer } = job.frame;
    thread.task = task;
    clearTimeout(thread.timer);
    thread.timer = setTimeout(() => lose(thread, tookTooLong()), timeLimit);
    const request: ThreadRequest = { job, options };
    thread.worker.postMessage(request, buffer instanceof ArrayBuffer && isLent(job.frame) ? [buffer] : []);
  };

  const distribute = () => {
    if (isClosed) return;
    for (const thread of threads) {
      if (!thread.isReady || thread.task) continue;
      const [task] = waiting.splice(0, 1);
      if (task) give(thread, task);
    }
    const starting = [...threads].filter(({ isReady }) => !isReady).length;
    if (threads.size < size && waiting.length > starting) start();
  };

  return {
    /** True when a thread has started. It may be at work. */
    isReady: (): boolean => [...threads].some(({ isReady }) => isReady),

    /** Starts a thread, unless one is running. */
    prepare: (): void => {
      if (!isClosed && threads.size === 0) start();
    },

    /**
     * Returns the file of a rendered image. The thread takes the memory of the frame if the caller borrowed it, and
     * returns it to the pool.
     */
    render: (job: RenderJob, options: RenderedOptions): Promise<Buffer> =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(stopping());
          return;
        }
        waiting.push({ job, options, resolve, reject });
        distribute();
      }),

    close: (): void => {
      isClosed = true;
      const tasks = [...[...threads].flatMap(({ task }) => task ?? []), ...waiting.splice(0)];
      for (const thread of threads) dismiss(thread);
      for (const { reject } of tasks) reject(stopping());
    },
  };
};

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);
