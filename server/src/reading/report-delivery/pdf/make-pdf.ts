import { t } from '@radwork/contract/core/translate';
import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createByteMemory } from '#core/resources/least-recently-used.ts';
import { processorTimeOf } from '#core/resources/processor-time.ts';
import { createTenantShares } from '#core/resources/tenant-shares.ts';
import { Problem, tooMany } from '#core/http/problem.ts';
import type { ReportDocument } from '#reading/report-delivery/report-document.ts';
import type { PdfReply } from './pdf-reply.ts';

const program = fileURLToPath(new URL('./pdf-process.ts', import.meta.url));

/** Maximum memory in megabytes. Real reports need 60. */
const mostMegabytes = 256;
/** Milliseconds for one report. Real reports take less than a second. */
const longestPrinting = 20_000;
/** Milliseconds of processor time after which a report counts as too complex, not only as late. */
const costly = 15_000;
/** Milliseconds without work after which the process ends, which frees its memory. */
const idleLimit = 60_000;

/** Prints one report at a time. Tenants take turns, and up to 20 reports of each may wait. */
const inTurn = createTenantShares({ most: 1, share: 1, queue: 20 });
/**
 * Limits callers without an account to one report of a tenant at a time, so that they leave the other turns to users.
 * Only a few such callers may wait.
 */
const mostForStrangers = 5;
const strangersInTurn = createTenantShares({ most: Number.POSITIVE_INFINITY, share: 1, queue: mostForStrangers });

/** Bytes of recent PDFs that are cached. The same report always gives the same file. */
const bytesRemembered = 32 << 20;
const printed = createByteMemory(bytesRemembered);

let idle: { child: ChildProcess; timer: NodeJS.Timeout } | undefined;

/**
 * Creates the PDF of a report in a separate process. Throws 422 for a report that is too complex. Throws 503 for a
 * time-out or a crash of the process, as on a busy machine. Throws 429 when many reports of the tenant are waiting.
 */
export const makePdf = (document: ReportDocument, timeLimit = longestPrinting): Promise<Buffer> => {
  const { id } = document.organization;
  const make = () => inTurn(id, () => makeOnce(document, timeLimit), tooManyWaiting);
  return document.reader === 'STRANGER' ? strangersInTurn(id, make, tooManyWaiting) : make();
};

const tooManyWaiting = () => tooMany(t`The server is creating many PDFs. Try again in a moment.`, 5);

/** Returns the cached PDF of the document, or creates it. Concurrent requests for one document share its PDF. */
const makeOnce = async (document: ReportDocument, timeLimit: number): Promise<Buffer> => {
  const key = createHash('sha256').update(JSON.stringify(document)).digest('hex');
  return printed.recall(key) ?? printed.remember(key, await makeNext(document, timeLimit));
};

const makeNext = async (document: ReportDocument, timeLimit: number): Promise<Buffer> => {
  const child = takeProcess();
  let isReliable = false;
  try {
    const reply = await printInChild(child, document, timeLimit);
    isReliable = reply.kind === 'pdf';
    return bytesIn(reply);
  } finally {
    if (isReliable) putBack(child);
    else child.kill('SIGKILL');
  }
};

const bytesIn = (reply: PdfReply): Buffer => {
  if (reply.kind === 'pdf') {
    const { buffer, byteOffset, length } = reply.bytes;
    return Buffer.from(buffer, byteOffset, length);
  }
  if (reply.isRefusal) throw tooCostly();
  throw new Error(`The PDF of the report could not be created: ${reply.reason}`);
};

const tooCostly = () =>
  new Problem(422, 'report.not_printable', t`The report is too complex for a PDF. Simplify its tables and images.`);

const tookTooLong = () =>
  new Problem(503, 'report.printing_timeout', t`Creating the PDF took too long. Try again in a moment.`, {
    retryAfterSeconds: 5,
  });

/**
 * Returns the error for a process that ended. The process ends with these signals when V8 has no memory left, and only
 * the report can cause that. Any other end is not the report's fault.
 */
const endOf = (signal: NodeJS.Signals | null): Problem =>
  signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGILL' ? tooCostly() : tookTooLong();

const takeProcess = (): ChildProcess => {
  if (idle) {
    clearTimeout(idle.timer);
    const { child } = idle;
    idle = undefined;
    if (child.connected) return child;
  }
  return fork(program, {
    execArgv: [`--max-old-space-size=${mostMegabytes}`],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
};

/** Keeps a process for the next report. It does not keep the server running. */
const putBack = (child: ChildProcess) => {
  const releaseChild = () => {
    if (idle?.child === child) idle = undefined;
    child.kill('SIGKILL');
  };
  child.unref();
  child.channel?.unref();
  idle = { child, timer: setTimeout(releaseChild, idleLimit).unref() };
};

const printInChild = async (child: ChildProcess, document: ReportDocument, timeLimit: number): Promise<PdfReply> => {
  const { promise, resolve, reject } = Promise.withResolvers<PdfReply>();
  const end = (_code: number | null, signal: NodeJS.Signals | null) => reject(endOf(signal));
  const before = processorTimeOf(child.pid) ?? 0;
  const late = () => {
    const used = (processorTimeOf(child.pid) ?? 0) - before;
    reject(used >= costly ? tooCostly() : tookTooLong());
  };
  const timer = setTimeout(late, timeLimit);
  child.ref();
  child.channel?.ref();
  child.on('message', resolve).on('error', reject).on('exit', end);
  try {
    child.send(document, (error) => error && reject(error));
    return await promise;
  } finally {
    clearTimeout(timer);
    child.off('message', resolve).off('error', reject).off('exit', end);
  }
};
