import { randomInt } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { type Scope, type Scopes, systemSession } from './scope.ts';
import { keepWorkerLine } from './worker-line.ts';

/** Work in the hands of this process. `attempt` counts from 1, and not those that were put back in order. */
export type Job = { tenantId: number; id: string; attempt: number; worker: number };

/**
 * Does a job. It ends the job by `finishJob` or `putBackJob`, in the transaction that says how it went. The signal
 * aborts with an Interruption; when it throws, the job is tried again after a pause, that of a TryLater or our own.
 */
export type RunJob = (job: Job, signal: AbortSignal) => Promise<void>;

/** Why work is broken off: the server stops, or the job was withdrawn or taken over and is not this worker's any more. */
export class Interruption extends Error {
  readonly isStop: boolean;

  constructor(isStop: boolean) {
    super(isStop ? 'The server stops' : 'The job is no longer ours');
    this.isStop = isStop;
  }
}

/**
 * What a job throws that has said itself how it went so far, and that wants to be tried again after so many seconds. It
 * is no attempt where the job could not be tried, as while the storage is away.
 */
export class TryLater extends Error {
  readonly seconds: number;
  readonly isAttempt: boolean;

  constructor(seconds: number, { isAttempt = true } = {}) {
    super(`To be tried again in ${seconds} seconds`);
    this.seconds = seconds;
    this.isAttempt = isAttempt;
  }
}

export type WorkerOptions = {
  scopes: Scopes;
  /** The database, which is also where the worker hears that there is something to do. */
  url: string;
  queue: string;
  mostAtOnce: number;
  /** Of one tenant, on all servers together. */
  mostPerTenant: number;
  run: RunJob;
  /** Hears of errors that the jobs themselves do not tell. */
  onError: (error: unknown) => void;
};

/** A worker that is connected but silent for so long is taken for gone (migrations/0009_import_jobs.sql). */
const leaseSeconds = 30;
const lookEveryMs = 10_000;
const longestPauseSeconds = 60;
/** A database that was away has no lock of anybody when it is back; others who live take theirs within so long. */
const othersBackWithinMs = 5000;

/**
 * Queues the work that the row with this id is about: when the caller's transaction commits, and not if it does not. Of
 * a tenant's jobs in the same lane one is done at a time; without a lane a job waits for no other. `runAt`: not before.
 */
export const enqueueJob = async (
  { db }: Scope,
  queue: string,
  id: string,
  lane = '',
  runAt?: string,
): Promise<void> => {
  await db
    .insertInto('jobs')
    .values({ id, queue, lane, ...(runAt !== undefined && { run_at: runAt }) })
    .execute();
};

/** Takes a job out of the queue and out of the hands of whoever has it; they hear of it at commit. */
export const withdrawJob = async ({ db }: Scope, id: string): Promise<void> => {
  await db.deleteFrom('jobs').where('id', '=', id).execute();
};

/** Lets a job that waits for its time begin now; one that somebody has is left to them. */
export const hurryJob = async ({ db }: Scope, id: string): Promise<void> => {
  await db
    .updateTable('jobs')
    .set({ run_at: sql`now()` })
    .where('id', '=', id)
    .where('worker', 'is', null)
    .execute();
};

/** Ends a job. False when it is no longer the worker's, who then must not say how it went. */
export const finishJob = async ({ db }: Scope, { id, worker }: Job): Promise<boolean> => {
  const ended = await db.deleteFrom('jobs').where('id', '=', id).where('worker', '=', worker).executeTakeFirst();
  return ended.numDeletedRows > 0n;
};

/** Whether a job is still the worker's; if so, nobody else gets it before the transaction ends. */
export const isHeld = async ({ db }: Scope, { id, worker }: Job): Promise<boolean> => {
  const held = await db
    .selectFrom('jobs')
    .select('id')
    .where('id', '=', id)
    .where('worker', '=', worker)
    .forUpdate()
    .executeTakeFirst();
  return held !== undefined;
};

/** Gives a job back to the queue as if it had not been begun. False when it is no longer the worker's. */
export const putBackJob = async ({ db }: Scope, { id, worker }: Job): Promise<boolean> => {
  const given = await db
    .updateTable('jobs')
    .set(({ eb }) => ({ ...waiting, run_at: sql<string>`now()`, attempts: eb('attempts', '-', 1) }))
    .where('id', '=', id)
    .where('worker', '=', worker)
    .executeTakeFirst();
  return given.numUpdatedRows > 0n;
};

const waiting = { worker: null, leased_until: null };

/** When a job that failed is tried again. */
const afterFailure = ({ attempt }: Job): TryLater => new TryLater(Math.min(attempt ** 2, longestPauseSeconds));

/** Leaves a job that failed to whoever is free after its pause. */
const tryAgainLater = (scopes: Scopes, job: Job, { seconds, isAttempt }: TryLater) => {
  const { tenantId, id, worker } = job;
  return scopes.inTenant(systemSession(tenantId), ({ db }) =>
    db
      .updateTable('jobs')
      .set(({ eb }) => ({
        ...waiting,
        run_at: sql<string>`now() + make_interval(secs => ${seconds})`,
        attempts: eb('attempts', '-', isAttempt ? 0 : 1),
      }))
      .where('id', '=', id)
      .where('worker', '=', worker)
      .execute(),
  );
};

type Row = { tenant_id: number; id: string; attempts: number };
type Running = { job: Job; controller: AbortController; ended: Promise<void> };

const keyOf = ({ tenantId, id }: Pick<Job, 'tenantId' | 'id'>) => `${tenantId} ${id}`;

/**
 * Does the jobs of a queue, of all tenants: each as soon as it is queued, and those of a worker that was killed as
 * soon as another looks. Goes on by itself when the database comes back. Returns how to stop: no more is begun, what
 * runs is interrupted and waited for.
 */
export const startWorker = ({ scopes, url, queue, run, onError, ...most }: WorkerOptions): (() => Promise<void>) => {
  const worker = randomInt(1, 2 ** 31 - 1);
  const running = new Map<string, Running>();
  const lease = sql`make_interval(secs => ${leaseSeconds})`;
  let isStopping = false;
  let wasConnected = false;
  let claimsFrom = 0;
  /** When the jobs that failed here, and are not given back yet, want to be tried again. */
  const strays = new Map<string, TryLater>();

  const ask = async (query: RawBuilder<Row>): Promise<Job[]> => {
    const { rows } = await scopes.withoutTenant((db) => query.execute(db));
    return rows.map(({ tenant_id, id, attempts }) => ({ tenantId: tenant_id, id, attempt: attempts, worker }));
  };

  const giveBack = async (job: Job, later = afterFailure(job)) => {
    strays.set(keyOf(job), later);
    await tryAgainLater(scopes, job, later);
    strays.delete(keyOf(job));
    setTimeout(look, later.seconds * 1000).unref();
  };

  /** What has waited for its old work is begun only if it is still to be done. */
  const beginNow = async (job: Job, signal: AbortSignal) => {
    if (isStopping) throw new TryLater(0, { isAttempt: false });
    if (!signal.aborted) await run(job, signal);
  };

  const begin = (job: Job, old = Promise.resolve()) => {
    const controller = new AbortController();
    const ended = old
      .then(() => beginNow(job, controller.signal))
      .catch(async (error: unknown) => {
        if (error instanceof TryLater) return giveBack(job, error);
        onError(error);
        await giveBack(job);
      })
      // The database is away: the job is given back when it can be heard again.
      .catch(() => {})
      .finally(() => {
        if (running.get(keyOf(job))?.controller === controller) running.delete(keyOf(job));
        look();
      });
    running.set(keyOf(job), { job, controller, ended });
  };

  const claimAll = async () => {
    while (!isStopping && running.size < most.mostAtOnce && performance.now() >= claimsFrom) {
      const [job] = await ask(sql`select * from claim_job(${queue}, ${worker}, ${lease}, ${most.mostPerTenant})`);
      if (!job) return;
      // It was withdrawn and queued again, or the lease ran out while this process was held up.
      const before = running.get(keyOf(job));
      before?.controller.abort(new Interruption(false));
      // Not waited for here: while a store keeps it, the leases of all other jobs would run out.
      begin(job, before?.ended);
    }
  };

  const renewAll = async () => {
    const asked = [...running.values()];
    if (asked.length === 0 && strays.size === 0) return;
    const ours = new Map(
      (await ask(sql`select * from renew_jobs(${worker}, ${lease})`)).map((job) => [keyOf(job), job]),
    );
    for (const key of strays.keys()) if (!ours.has(key)) strays.delete(key);
    for (const { job, controller } of asked) {
      if (ours.get(keyOf(job))?.attempt !== job.attempt) controller.abort(new Interruption(false));
      ours.delete(keyOf(job));
    }
    for (const [key, stray] of ours) await giveBack(stray, strays.get(key));
  };

  const { look, looked } = createLook(
    () => line.isConnected(),
    async () => {
      await renewAll();
      await claimAll();
    },
  );
  /** Before the others are back, what they are doing would be done twice, and count as an attempt. */
  const onOpen = () => {
    if (wasConnected) {
      claimsFrom = performance.now() + othersBackWithinMs;
      setTimeout(look, othersBackWithinMs).unref();
    }
    wasConnected = true;
    look();
  };
  const line = keepWorkerLine(url, worker, look, onOpen);
  const looksRegularly = setInterval(look, lookEveryMs);

  return async () => {
    isStopping = true;
    clearInterval(looksRegularly);
    await looked();
    for (const { controller } of running.values()) controller.abort(new Interruption(true));
    await Promise.all(Array.from(running.values(), ({ ended }) => ended));
    await line.close();
  };
};

/** Looks whenever it is asked to, never twice at once. Asked during a look, it looks once more. */
const createLook = (isPossible: () => boolean, lookOnce: () => Promise<void>) => {
  let isAskedFor = false;
  let isLooking = false;
  let looking = Promise.resolve();

  const lookUntilQuiet = async () => {
    isLooking = true;
    try {
      while (isAskedFor && isPossible()) {
        isAskedFor = false;
        await lookOnce();
      }
    } catch {
      // The database is away: whoever hears that it is back asks again.
    } finally {
      isLooking = false;
    }
  };

  return {
    look: () => {
      isAskedFor = true;
      if (!isLooking) looking = lookUntilQuiet();
    },
    looked: () => looking,
  };
};
