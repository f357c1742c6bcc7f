import { randomInt } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { type Scope, type Scopes, systemSession } from '#core/access/scope.ts';
import { openWorkerListener } from './worker-listener.ts';

/** A job that this process has claimed. `attempt` counts from 1, without attempts that were put back. */
export type Job = { tenantId: number; id: string; attempt: number; worker: number };

/**
 * Runs a job. Ends the job with `finishJob` or `putBackJob`, in the transaction that records the result. The signal
 * aborts with an Interruption. When the function throws, the job is retried after a pause; RetryLater sets the pause.
 */
export type RunJob = (job: Job, signal: AbortSignal) => Promise<void>;

/** Reason of an interruption: the server stops, the job was withdrawn, or another worker has claimed it. */
export class Interruption extends Error {
  readonly isStop: boolean;

  constructor(isStop: boolean) {
    super(isStop ? 'The server stops' : 'Another worker has the job');
    this.isStop = isStop;
  }
}

/**
 * Thrown by a job that has recorded its progress and wants a retry after some seconds. `isAttempt` is false when the
 * job could not be tried, for example because the storage cannot be reached.
 */
export class RetryLater extends Error {
  readonly seconds: number;
  readonly isAttempt: boolean;

  constructor(seconds: number, { isAttempt = true } = {}) {
    super(`Retry in ${seconds} seconds`);
    this.seconds = seconds;
    this.isAttempt = isAttempt;
  }
}

export type WorkerOptions = {
  scopes: Scopes;
  /** URL of the database, which also notifies the worker about new jobs. */
  url: string;
  queue: string;
  mostAtOnce: number;
  /** Number of jobs of one tenant that may run at once, on all servers together. */
  mostPerTenant: number;
  run: RunJob;
  /** Receives the errors that a job does not report. */
  onError: (error: unknown) => void;
};

/** Seconds without a sign of life after which a connected worker counts as gone (migrations/0009_import_jobs.sql). */
const leaseSeconds = 30;
const lookEveryMs = 10_000;
const longestPauseSeconds = 60;
/**
 * Milliseconds within which running workers take their locks again. After a database outage, no worker holds its lock.
 */
const othersBackWithinMs = 5000;

/**
 * Queues work about the row with this id, starting when the transaction commits. Jobs of one tenant in the same lane
 * run one at a time. A job without a lane waits for no other job. `runAt` is the earliest start.
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

/** Removes a job from the queue. At the commit, its worker is interrupted. */
export const withdrawJob = async ({ db }: Scope, id: string): Promise<void> => {
  await db.deleteFrom('jobs').where('id', '=', id).execute();
};

/** Starts a waiting job now. A claimed job stays with its worker. */
export const runJobNow = async ({ db }: Scope, id: string): Promise<void> => {
  await db
    .updateTable('jobs')
    .set({ run_at: sql`now()` })
    .where('id', '=', id)
    .where('worker', 'is', null)
    .execute();
};

/** Ends a job. Returns false when the worker has lost the job and must not record a result. */
export const finishJob = async ({ db }: Scope, { id, worker }: Job): Promise<boolean> => {
  const ended = await db.deleteFrom('jobs').where('id', '=', id).where('worker', '=', worker).executeTakeFirst();
  return ended.numDeletedRows > 0n;
};

/** True when the worker still holds the job. Until the transaction ends, no other worker can claim it. */
export const isClaimed = async ({ db }: Scope, { id, worker }: Job): Promise<boolean> => {
  const claim = await db
    .selectFrom('jobs')
    .select('id')
    .where('id', '=', id)
    .where('worker', '=', worker)
    .forUpdate()
    .executeTakeFirst();
  return claim !== undefined;
};

/** Returns a job to the queue without counting the attempt. False when the worker has lost the job. */
export const putBackJob = async ({ db }: Scope, { id, worker }: Job): Promise<boolean> => {
  const updated = await db
    .updateTable('jobs')
    .set(({ eb }) => ({ ...waiting, run_at: sql<string>`now()`, attempts: eb('attempts', '-', 1) }))
    .where('id', '=', id)
    .where('worker', '=', worker)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
};

const waiting = { worker: null, leased_until: null };

/** Returns the pause before a failed job is retried. */
const afterFailure = ({ attempt }: Job): RetryLater => new RetryLater(Math.min(attempt ** 2, longestPauseSeconds));

/** Releases a failed job after its pause, so that any worker may claim it. */
const tryAgainLater = (scopes: Scopes, job: Job, { seconds, isAttempt }: RetryLater) => {
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
type RunningJob = { job: Job; controller: AbortController; ended: Promise<void> };

const keyOf = ({ tenantId, id }: Pick<Job, 'tenantId' | 'id'>) => `${tenantId} ${id}`;

/**
 * Runs the jobs of a queue for all tenants as soon as they are queued. Takes over the jobs of killed workers. Continues
 * after a database outage. The returned function stops the worker: no new job begins, and running jobs are interrupted
 * and awaited.
 */
export const startWorker = ({ scopes, url, queue, run, onError, ...most }: WorkerOptions): (() => Promise<void>) => {
  const worker = randomInt(1, 2 ** 31 - 1);
  const running = new Map<string, RunningJob>();
  const lease = sql`make_interval(secs => ${leaseSeconds})`;
  let isStopping = false;
  let wasConnected = false;
  let claimsFrom = 0;
  /** Failed jobs that could not be returned to the queue yet, with their retry times. */
  const strays = new Map<string, RetryLater>();

  const claimedJobs = async (query: RawBuilder<Row>): Promise<Job[]> => {
    const { rows } = await scopes.withoutTenant((db) => query.execute(db));
    return rows.map(({ tenant_id, id, attempts }) => ({ tenantId: tenant_id, id, attempt: attempts, worker }));
  };

  const giveBack = async (job: Job, later = afterFailure(job)) => {
    strays.set(keyOf(job), later);
    await tryAgainLater(scopes, job, later);
    strays.delete(keyOf(job));
    setTimeout(look, later.seconds * 1000).unref();
  };

  /** A job may have waited for its earlier run to end. The job begins only if this worker still holds it. */
  const beginNow = async (job: Job, signal: AbortSignal) => {
    if (isStopping) throw new RetryLater(0, { isAttempt: false });
    if (!signal.aborted) await run(job, signal);
  };

  const begin = (job: Job, old = Promise.resolve()) => {
    const controller = new AbortController();
    const ended = old
      .then(() => beginNow(job, controller.signal))
      .catch(async (error: unknown) => {
        if (error instanceof RetryLater) return giveBack(job, error);
        onError(error);
        await giveBack(job);
      })
      // If the database cannot be reached, the job is returned to the queue when the database responds again.
      .catch(() => {})
      .finally(() => {
        if (running.get(keyOf(job))?.controller === controller) running.delete(keyOf(job));
        look();
      });
    running.set(keyOf(job), { job, controller, ended });
  };

  const claimAll = async () => {
    while (!isStopping && running.size < most.mostAtOnce && performance.now() >= claimsFrom) {
      const [job] = await claimedJobs(
        sql`select * from claim_job(${queue}, ${worker}, ${lease}, ${most.mostPerTenant})`,
      );
      if (!job) return;
      // An earlier run of the same job may still be active here: the job was withdrawn and queued again, or its lease
      // ran out while this process was blocked.
      const before = running.get(keyOf(job));
      before?.controller.abort(new Interruption(false));
      // The end of the earlier run is not awaited here. If a store blocked that run, the leases of all other jobs would
      // run out.
      begin(job, before?.ended);
    }
  };

  const renewAll = async () => {
    const runningJobs = [...running.values()];
    if (runningJobs.length === 0 && strays.size === 0) return;
    const ours = new Map(
      (await claimedJobs(sql`select * from renew_jobs(${worker}, ${lease})`)).map((job) => [keyOf(job), job]),
    );
    for (const key of strays.keys()) if (!ours.has(key)) strays.delete(key);
    for (const { job, controller } of runningJobs) {
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
  /**
   * Waits after a reconnect, until the other workers have their locks back. Claiming earlier would run their jobs twice
   * and count an attempt.
   */
  const onOpen = () => {
    if (wasConnected) {
      claimsFrom = performance.now() + othersBackWithinMs;
      setTimeout(look, othersBackWithinMs).unref();
    }
    wasConnected = true;
    look();
  };
  const line = openWorkerListener(url, worker, look, onOpen);
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

/** Looks for jobs when requested, never twice at once. A request during a look causes one more look. */
const createLook = (isPossible: () => boolean, lookOnce: () => Promise<void>) => {
  let isRequested = false;
  let isLooking = false;
  let looking = Promise.resolve();

  const lookUntilQuiet = async () => {
    isLooking = true;
    try {
      while (isRequested && isPossible()) {
        isRequested = false;
        await lookOnce();
      }
    } catch {
      // If the database cannot be reached, the worker looks again when the database responds.
    } finally {
      isLooking = false;
    }
  };

  return {
    look: () => {
      isRequested = true;
      if (!isLooking) looking = lookUntilQuiet();
    },
    looked: () => looking,
  };
};
