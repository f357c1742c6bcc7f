import { type ChildProcess, fork } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Problem } from '#core/problem.ts';
import { type DecodedFrame, type DecodeJob, NotRenderable, type PixelFormat, type RenderJob } from './picture.ts';
import { processorTimeOf } from './processor-time.ts';
import type { RenderReply, RenderRequest, RenderResult, SentRequest } from './render-messages.ts';
import type { RenderedOptions } from './rendered-options.ts';

type Task = {
  tenantId: number;
  /** A process died of it before, which may have been another's doing. */
  wasLost?: boolean;
  request: RenderRequest;
  frame: Uint8Array;
  resolve: (result: RenderResult) => void;
  reject: (error: Error) => void;
};
type Worker = {
  child: ChildProcess;
  /** Takes the bytes of frames; there once the process is. */
  pipe?: Socket | undefined;
  isReady: boolean;
  task?: Task | undefined;
  timer?: NodeJS.Timeout | undefined;
};

const program = fileURLToPath(new URL('./render-process.ts', import.meta.url));

/** 256 MiB for a decoder's memory, whatever an image claims to need; 128 MiB for the rest of the process. */
const limits = ['--max-old-space-size=128', '--wasm-max-mem-pages=4096'];

const startingTakesAtMost = 30_000;

/** Milliseconds for any image, for each million of samples and for each 10 kB: ten times what the slowest decoder takes. */
const anyImageTakes = 5000;
const eachTakes = 500;

/**
 * An image has the time that its declared size needs, and never more than `most`. A few bytes that claim a large image are
 * a blank one, which is soon decoded.
 */
export const timeFor = ({ rows, columns, samplesPerPixel }: PixelFormat, bytes: number, most: number): number =>
  Math.min(most, anyImageTakes + Math.min((rows * columns * samplesPerPixel) / 1e6, bytes / 1e4) * eachTakes);

/** In milliseconds. */
const shortestLook = 20;
const patience = 8;

/** Failures of this machine, or that may be: asking again can help. */
const tookTooLong = () =>
  new Problem(503, 'rendering.timeout', 'The image takes too long to decode. Try again later.', {
    retryAfterSeconds: 30,
  });
const decodersAway = () =>
  new Problem(503, 'rendering.away', 'The decoders do not start. Try again later.', { retryAfterSeconds: 10 });

/** In place of a frame whose bytes follow. */
const sentApart = new Uint8Array(0);

/**
 * Renders and decodes frames in a few processes, started when there is work or soon will be. One that traps, dies or takes
 * longer than the size of its image needs, or than `timeLimit` (ms), is replaced; only the frame that it was busy with fails.
 * A frame that ends two processes fails with NotRenderable, one that takes too long with a Problem, 503. One that has had
 * nothing to do for `idleLimit` is let go. Besides `size` processes there is one for tenants of whom nothing is being made:
 * slow images of one tenant never keep another waiting.
 */
export const createRenderPool = ({ size = 2, timeLimit = 15_000, idleLimit = 60_000 } = {}) => {
  const workers = new Set<Worker>();
  const waiting: Task[] = [];
  /** When the turn of a tenant was, as a number that grows. */
  const turns = new Map<number, number>();
  let turn = 0;
  let isClosed = false;

  const dismiss = (worker: Worker) => {
    clearTimeout(worker.timer);
    workers.delete(worker);
    worker.child.kill('SIGKILL');
  };

  /** Ends the worker's task, if it has one, and the worker too when it is of no more use. */
  const finish = (worker: Worker, end: (task: Task) => void, isBroken: boolean) => {
    const { task } = worker;
    clearTimeout(worker.timer);
    worker.task = undefined;
    if (isBroken) dismiss(worker);
    else worker.timer = setTimeout(() => dismiss(worker), idleLimit).unref();
    if (task) end(task);
    distribute();
  };

  const hear = (worker: Worker, reply: RenderReply) => {
    if (!workers.has(worker)) return;
    if (reply.kind === 'ready') {
      worker.isReady = true;
      finish(worker, () => {}, false);
    } else if (reply.kind === 'failure') {
      finish(worker, ({ reject }) => reject(new NotRenderable(reply.reason)), reply.isBroken);
    } else {
      finish(worker, ({ resolve }) => resolve(reply), reply.isBroken);
    }
  };

  const start = () => {
    const child = fork(program, {
      execArgv: limits,
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
    });
    const worker: Worker = { child, isReady: false };
    worker.timer = setTimeout(() => lose(worker), startingTakesAtMost);
    workers.add(worker);
    child.on('spawn', () => connect(worker));
    child.on('message', (reply: RenderReply) => hear(worker, reply));
    child.on('error', () => lose(worker));
    child.on('exit', () => lose(worker));
  };

  /** What is under way has a timer that keeps the program running; a process that waits for work does not. */
  const connect = (worker: Worker) => {
    const { child } = worker;
    const pipe = child.stdio[4];
    if (pipe instanceof Socket) worker.pipe = pipe.unref().on('error', () => lose(worker));
    child.channel?.unref();
    child.unref();
  };

  /** A worker has gone, or has to: of its own accord, or because it never got ready. */
  const lose = (worker: Worker) => {
    if (!workers.has(worker)) return;
    // Without this, a machine on which the decoders do not start would try for ever.
    const [first] = worker.isReady ? [] : waiting.splice(0, 1);
    first?.reject(decodersAway());
    finish(worker, loseTask, true);
  };

  /** The machine may have ended the process for want of memory: the image is to blame when a second one ends. */
  const loseTask = (task: Task) => {
    if (task.wasLost) task.reject(new NotRenderable('The decoder gave up.'));
    else waiting.unshift({ ...task, wasLost: true });
  };

  /** Ends a task that has used the processor for `limit`. A busy machine gives it more time, up to `patience` times as much. */
  const endAfter = (worker: Worker, limit: number) => {
    const began = { processor: processorTimeOf(worker.child.pid), at: performance.now() };
    const look = () => {
      const now = processorTimeOf(worker.child.pid);
      const used = now === undefined || began.processor === undefined ? limit : now - began.processor;
      const isOver = used >= limit || performance.now() - began.at >= patience * limit;
      if (isOver) finish(worker, ({ reject }) => reject(tookTooLong()), true);
      else worker.timer = setTimeout(look, Math.max(limit - used, shortestLook));
    };
    worker.timer = setTimeout(look, limit);
  };

  const giveTask = (worker: Worker, task: Task) => {
    clearTimeout(worker.timer);
    worker.task = task;
    const { request, frame } = task;
    endAfter(worker, timeFor(request.job.format, frame.length, timeLimit));
    worker.child.send({ request, frameBytes: frame.length } satisfies SentRequest);
    worker.pipe?.write(frame);
  };

  const distribute = () => {
    if (isClosed) return;
    for (const worker of workers) {
      if (!worker.isReady || worker.task) continue;
      const task = takeNext();
      if (task) giveTask(worker, task);
    }
    const starting = [...workers].filter(({ isReady }) => !isReady).length;
    const busy = workers.size - starting;
    const mayStart = workers.size < size || (workers.size === size && busy === size && nextIndex() >= 0);
    if (mayStart && waiting.length > starting) start();
  };

  const madeOf = (tenantId: number): number => [...workers].filter(({ task }) => task?.tenantId === tenantId).length;

  /**
   * The first task of the tenant of whom the least is being made, and whose turn was the longest ago. When `size` are busy, only a tenant of whom nothing is
   * being made gets the last process. -1 if no task may begin.
   */
  const nextIndex = (): number => {
    const busy = [...workers].filter(({ task }) => task).length;
    const [next] = [...new Set(waiting.map(({ tenantId }) => tenantId))]
      .map((tenantId) => ({ tenantId, made: madeOf(tenantId), turn: turns.get(tenantId) ?? 0 }))
      .toSorted((one, other) => one.made - other.made || one.turn - other.turn);
    if (!next || (busy >= size && next.made > 0)) return -1;
    return waiting.findIndex(({ tenantId }) => tenantId === next.tenantId);
  };

  const takeNext = (): Task | undefined => {
    const index = nextIndex();
    const [task] = index < 0 ? [] : waiting.splice(index, 1);
    if (task) turns.set(task.tenantId, ++turn);
    return task;
  };

  const ask = (tenantId: number, request: RenderRequest, frame: Uint8Array): Promise<RenderResult> =>
    new Promise((resolve, reject) => {
      if (isClosed) {
        reject(stopping());
        return;
      }
      waiting.push({ tenantId, request, frame, resolve, reject });
      distribute();
    });

  return {
    /** Starts a process, unless there is one, because there will be work in a moment. */
    prepare: (): void => {
      if (!isClosed && workers.size === 0) start();
    },

    /** A picture as a file. */
    render: async (tenantId: number, job: RenderJob, options: RenderedOptions): Promise<Buffer> => {
      const result = await ask(tenantId, { kind: 'render', job: { ...job, frame: sentApart }, options }, job.frame);
      if (result.kind !== 'picture') throw new Error('A picture was asked for');
      const { buffer, byteOffset, length } = result.file;
      return Buffer.from(buffer, byteOffset, length);
    },

    decode: async (tenantId: number, job: DecodeJob): Promise<DecodedFrame> => {
      const result = await ask(tenantId, { kind: 'decode', job: { ...job, frame: sentApart } }, job.frame);
      if (result.kind !== 'decoded') throw new Error('A decoded frame was asked for');
      return result.frame;
    },

    close: (): void => {
      isClosed = true;
      const tasks = [...[...workers].flatMap(({ task }) => task ?? []), ...waiting.splice(0)];
      for (const worker of workers) dismiss(worker);
      for (const { reject } of tasks) reject(stopping());
    },
  };
};

const stopping = () => new Problem(503, 'rendering.away', 'The server is being shut down.', { retryAfterSeconds: 10 });
