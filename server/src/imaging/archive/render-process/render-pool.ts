import { type ChildProcess, fork } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import {
  type DecodedFrame,
  type DecodeJob,
  NotRenderable,
  type RenderJob,
} from '#imaging/archive/pixels/pixel-format.ts';
import { processorTimeOf } from '#core/resources/processor-time.ts';
import { didNotStart, stopping, timeFor, tookTooLong } from './render-limits.ts';
import type { RenderReply, RenderRequest, RenderResult, SentRequest } from './render-messages.ts';
import type { RenderedOptions } from '#imaging/archive/render/rendered-options.ts';

type Task = {
  tenantId: number;
  /** True when a process already died during this task. The process may have died for another reason. */
  wasLost?: boolean;
  request: RenderRequest;
  frame: Uint8Array;
  resolve: (result: RenderResult) => void;
  reject: (error: Error) => void;
};
type Worker = {
  child: ChildProcess;
  /** The pipe for the bytes of frames. It exists once the process has started. */
  pipe?: Socket | undefined;
  isReady: boolean;
  task?: Task | undefined;
  timer?: NodeJS.Timeout | undefined;
};

const program = fileURLToPath(new URL('./render-process.ts', import.meta.url));

/**
 * Limits of memory: 256 MiB for the decoder, whatever size an image claims, and 128 MiB for the rest of the process.
 */
const limits = ['--max-old-space-size=128', '--wasm-max-mem-pages=4096'];

const startingTakesAtMost = 30_000;
/** Milliseconds for which the last process stays ready. Between two studies, users often read for minutes. */
const warmFor = 15 * 60_000;

/** Milliseconds. */
const shortestLook = 20;
const patience = 8;

/** Takes the place of the frame in a message. The bytes of the frame follow through the pipe. */
const sentApart = new Uint8Array(0);

/**
 * Renders and decodes frames in a few processes, which start on demand or in advance. A process that crashes or takes
 * too long is replaced, and only its frame fails. The time limit is `timeLimit` in ms, or less for a small image. A
 * frame that ends two processes fails with NotRenderable; a slow frame fails with a Problem, 503. A process ends after
 * `idleLimit` ms without work, and the last one `lastIdleLimit` ms later. One extra process serves tenants without a
 * running frame, so that slow images of one tenant do not delay another. `isBackground`: the processes have the lowest
 * priority.
 */
export const createRenderPool = ({
  size = 2,
  timeLimit = 15_000,
  idleLimit = 60_000,
  lastIdleLimit = warmFor,
  isBackground = false,
} = {}) => {
  const workers = new Set<Worker>();
  const waiting: Task[] = [];
  /** For each tenant, the number of its last turn. The numbers increase with each turn. */
  const turns = new Map<number, number>();
  let turn = 0;
  let isClosed = false;

  const dismiss = (worker: Worker) => {
    clearTimeout(worker.timer);
    workers.delete(worker);
    worker.child.kill('SIGKILL');
  };

  /** Ends a worker that gets no work. The last one waits longer. */
  const rest = (worker: Worker) => {
    const end = () => dismiss(worker);
    const endIfSpare = () => {
      if (workers.size > 1) end();
      else worker.timer = setTimeout(end, lastIdleLimit).unref();
    };
    worker.timer = setTimeout(endIfSpare, idleLimit).unref();
  };

  /** Ends the task of a worker, if it has one. Also ends a broken worker. */
  const finish = (worker: Worker, end: (task: Task) => void, isBroken: boolean) => {
    const { task } = worker;
    clearTimeout(worker.timer);
    worker.task = undefined;
    if (isBroken) dismiss(worker);
    else rest(worker);
    if (task) end(task);
    distribute();
  };

  const onReply = (worker: Worker, reply: RenderReply) => {
    if (!workers.has(worker)) return;
    if (reply.kind === 'ready') {
      worker.isReady = true;
      finish(worker, () => {}, false);
    } else if (reply.kind === 'failure') {
      finish(worker, ({ reject }) => reject(new NotRenderable(reply.fault)), reply.isBroken);
    } else {
      finish(worker, ({ resolve }) => resolve(reply), reply.isBroken);
    }
  };

  const start = () => {
    const child = fork(program, isBackground ? ['background'] : [], {
      execArgv: limits,
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
    });
    const worker: Worker = { child, isReady: false };
    worker.timer = setTimeout(() => lose(worker), startingTakesAtMost);
    workers.add(worker);
    child.on('spawn', () => connect(worker));
    child.on('message', (reply: RenderReply) => onReply(worker, reply));
    child.on('error', () => lose(worker));
    child.on('exit', () => lose(worker));
  };

  /** The timer of a running task keeps the program running. An idle process does not keep it running. */
  const connect = (worker: Worker) => {
    const { child } = worker;
    const pipe = child.stdio[4];
    if (pipe instanceof Socket) worker.pipe = pipe.unref().on('error', () => lose(worker));
    child.channel?.unref();
    child.unref();
  };

  /** Handles a worker that has exited, or has not become ready. */
  const lose = (worker: Worker) => {
    if (!workers.has(worker)) return;
    // Ends the first waiting task, if the process did not become ready. This prevents endless restarts on a machine
    // where the decoders fail to start.
    const [first] = worker.isReady ? [] : waiting.splice(0, 1);
    first?.reject(didNotStart());
    finish(worker, loseTask, true);
  };

  /**
   * The system may have ended the process for lack of memory. The image is the cause only if a second process ends too.
   */
  const loseTask = (task: Task) => {
    if (task.wasLost) task.reject(new NotRenderable('decoderFailed'));
    else waiting.unshift({ ...task, wasLost: true });
  };

  /**
   * Ends a task after `limit` milliseconds of processor time. On a busy machine, up to `patience` times as much time
   * may pass.
   */
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
   * Returns the next task: first of the tenant with the fewest running frames, then of the tenant that has waited
   * longest for a turn. When `size` processes are busy, only a tenant without a running frame may use the extra one.
   * Returns -1 when no task may start.
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

  const requestResult = (tenantId: number, request: RenderRequest, frame: Uint8Array): Promise<RenderResult> =>
    new Promise((resolve, reject) => {
      if (isClosed) {
        reject(stopping());
        return;
      }
      waiting.push({ tenantId, request, frame, resolve, reject });
      distribute();
    });

  return {
    /** Starts a process before the first frame arrives, unless one is running. */
    prepare: (): void => {
      if (!isClosed && workers.size === 0) start();
    },

    /** Returns the file of a rendered image. */
    render: async (tenantId: number, job: RenderJob, options: RenderedOptions): Promise<Buffer> => {
      const result = await requestResult(
        tenantId,
        { kind: 'render', job: { ...job, frame: sentApart }, options },
        job.frame,
      );
      if (result.kind !== 'picture') throw new Error('Expected a rendered image');
      const { buffer, byteOffset, length } = result.file;
      return Buffer.from(buffer, byteOffset, length);
    },

    decode: async (tenantId: number, job: DecodeJob): Promise<DecodedFrame> => {
      const result = await requestResult(tenantId, { kind: 'decode', job: { ...job, frame: sentApart } }, job.frame);
      if (result.kind !== 'decoded') throw new Error('Expected a decoded frame');
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
