import { type ChildProcess, fork } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type DecodedFrame, type DecodeJob, NotRenderable, type RenderJob } from './picture.ts';
import type { RenderReply, RenderRequest, RenderResult, SentRequest } from './render-messages.ts';
import type { RenderedOptions } from './rendered-options.ts';

type Task = {
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

/** In place of a frame whose bytes follow. */
const sentApart = new Uint8Array(0);

/**
 * Renders and decodes frames in a few processes, started when there is work or soon will be. One that traps, dies or takes
 * longer than `timeLimit` (ms) is replaced; only the frame that it was busy with fails, with NotRenderable. One that has
 * had nothing to do for `idleLimit` is let go.
 */
export const createRenderPool = ({ size = 2, timeLimit = 15_000, idleLimit = 60_000 } = {}) => {
  const workers = new Set<Worker>();
  const waiting: Task[] = [];
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
    first?.reject(new NotRenderable('The decoders do not start.'));
    finish(worker, ({ reject }) => reject(new NotRenderable('The decoder gave up.')), true);
  };

  const giveTask = (worker: Worker, task: Task) => {
    clearTimeout(worker.timer);
    worker.task = task;
    worker.timer = setTimeout(() => {
      finish(worker, ({ reject }) => reject(new NotRenderable('The image takes too long to decode.')), true);
    }, timeLimit);
    const { request, frame } = task;
    worker.child.send({ request, frameBytes: frame.length } satisfies SentRequest);
    worker.pipe?.write(frame);
  };

  const distribute = () => {
    if (isClosed) return;
    for (const worker of workers) {
      if (!worker.isReady || worker.task) continue;
      const task = waiting.shift();
      if (task) giveTask(worker, task);
    }
    const starting = [...workers].filter(({ isReady }) => !isReady).length;
    if (workers.size < size && waiting.length > starting) start();
  };

  const ask = (request: RenderRequest, frame: Uint8Array): Promise<RenderResult> =>
    new Promise((resolve, reject) => {
      if (isClosed) {
        reject(stopping());
        return;
      }
      waiting.push({ request, frame, resolve, reject });
      distribute();
    });

  return {
    /** Starts a process, unless there is one, because there will be work in a moment. */
    prepare: (): void => {
      if (!isClosed && workers.size === 0) start();
    },

    /** A picture as a file. */
    render: async (job: RenderJob, options: RenderedOptions): Promise<Buffer> => {
      const result = await ask({ kind: 'render', job: { ...job, frame: sentApart }, options }, job.frame);
      if (result.kind !== 'picture') throw new Error('A picture was asked for');
      const { buffer, byteOffset, length } = result.file;
      return Buffer.from(buffer, byteOffset, length);
    },

    decode: async (job: DecodeJob): Promise<DecodedFrame> => {
      const result = await ask({ kind: 'decode', job: { ...job, frame: sentApart } }, job.frame);
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

const stopping = () => new NotRenderable('The server is being shut down.');
