import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { eventually } from '#test/eventually.ts';
import { querySql, runSql } from '#test/setup.ts';
import { createWorld, type Tenant } from '#test/world.ts';
import { newId } from '#core/values/ids.ts';
import {
  enqueueJob,
  finishJob,
  type Interruption,
  type Job,
  putBackJob,
  startWorker,
  RetryLater,
  type WorkerOptions,
  withdrawJob,
} from './jobs.ts';
import { type Scopes, systemSession } from '#core/access/scope.ts';

const world = await createWorld();
const { scopes } = world.context;

const inTenantOf = ({ tenantId }: Job) => systemSession(tenantId);

const finish = (job: Job) => scopes.inTenant(inTenantOf(job), (scope) => finishJob(scope, job));

/** Starts a worker on a queue and stops it at the end of the test. */
const work = (queue: string, run: WorkerOptions['run'], options: Partial<WorkerOptions> = {}) => {
  const errors: unknown[] = [];
  const stop = startWorker({
    scopes,
    url: world.url,
    queue,
    mostAtOnce: 4,
    mostPerTenant: 2,
    run,
    onError: (error) => errors.push(error),
    ...options,
  });
  onTestFinished(stop);
  return { stop, errors };
};

const queueJob = (tenant: Tenant, queue: string, lane = ''): Promise<string> =>
  world.inTenant(tenant, async (scope) => {
    const id = newId();
    await enqueueJob(scope, queue, id, lane);
    return id;
  });

const rowOf = (id: string) => world.owner.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();

/** Holds a job until it is interrupted, then runs `then`. */
const holding =
  (then: (job: Job, interruption: Interruption) => Promise<unknown> = async () => {}): WorkerOptions['run'] =>
  async (job, signal) => {
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve());
    });
    await then(job, signal.reason);
  };

test('one of several workers runs a job once, as soon as it is queued', async () => {
  const tenant = await world.newTenant();
  const done: string[] = [];
  const run = async (job: Job) => {
    await finish(job);
    done.push(job.id);
  };
  work('once', run);
  work('once', run);

  const ids = await Promise.all(Array.from({ length: 20 }, () => queueJob(tenant, 'once')));

  await eventually(() => expect(done.toSorted()).toEqual(ids.toSorted()));
  expect(await Promise.all(ids.map(rowOf))).toEqual(ids.map(() => undefined));
});

test('a job may ask to run again later without reporting an error', async () => {
  const tenant = await world.newTenant();
  const { errors } = work('later', async (job) => {
    if (job.attempt < 3) throw new RetryLater(0.01);
    await finish(job);
  });
  const patient = work('much later', () => Promise.reject(new RetryLater(3600)));

  const [soon, late] = [await queueJob(tenant, 'later'), await queueJob(tenant, 'much later')];

  await eventually(async () => expect(await rowOf(soon)).toBeUndefined());
  const waiting = await eventually(async () => {
    const row = await rowOf(late);
    if (row?.attempts !== 1 || row.worker !== null) throw new Error('It does not wait yet');
    return row;
  });
  expect(Date.parse(waiting.run_at) - Date.now()).toBeGreaterThan(3_000_000);
  expect([...errors, ...patient.errors]).toEqual([]);
});

test('a job that could not be tried does not use up an attempt', async () => {
  const tenant = await world.newTenant();
  const attempts: number[] = [];
  work('away', async (job) => {
    attempts.push(job.attempt);
    if (attempts.length < 4) throw new RetryLater(0.01, { isAttempt: false });
    await finish(job);
  });

  const id = await queueJob(tenant, 'away');

  await eventually(async () => expect(await rowOf(id)).toBeUndefined());
  expect(attempts).toEqual([1, 1, 1, 1]);
});

test('a job is never queued when its transaction is rolled back', async () => {
  const tenant = await world.newTenant();
  const startedIds: string[] = [];
  work('rolled back', async (job) => {
    startedIds.push(job.id);
    await finish(job);
  });

  const failed = world.inTenant(tenant, async (scope) => {
    await enqueueJob(scope, 'rolled back', newId());
    throw new Error('changed my mind');
  });
  await expect(failed).rejects.toThrow('changed my mind');
  const committedJob = await queueJob(tenant, 'rolled back');

  await eventually(() => expect(startedIds).toEqual([committedJob]));
});

test('a tenant gets only its share of the workers of all servers, and other tenants get the rest', async () => {
  const [busy, other] = [await world.newTenant(), await world.newTenant()];
  const startedTenants: number[] = [];
  const run: WorkerOptions['run'] = async (job, signal) => {
    startedTenants.push(job.tenantId);
    await holding()(job, signal);
  };
  for (let count = 0; count < 5; count += 1) await queueJob(busy, 'share');
  const last = await queueJob(other, 'share');

  work('share', run);
  work('share', run);

  await eventually(() => expect(startedTenants).toContain(other.id));
  await wait(200);
  expect(startedTenants.filter((tenantId) => tenantId === busy.id)).toHaveLength(2);
  expect((await rowOf(last))?.attempts).toBe(1);
});

test('the first job of an idle tenant starts before the second job of a busy tenant', async () => {
  const [busy, other] = [await world.newTenant(), await world.newTenant()];
  const startedTenants: number[] = [];
  for (let count = 0; count < 3; count += 1) await queueJob(busy, 'turns');
  await queueJob(other, 'turns');

  work(
    'turns',
    async (job, signal) => {
      startedTenants.push(job.tenantId);
      await holding()(job, signal);
    },
    { mostAtOnce: 2 },
  );

  await eventually(() => expect(startedTenants).toHaveLength(2));
  expect(startedTenants).toEqual([busy.id, other.id]);
});

test('jobs in one lane of a tenant run one at a time, without delaying other lanes and tenants', async () => {
  const [tenant, other] = [await world.newTenant(), await world.newTenant()];
  const [first, second] = [await queueJob(tenant, 'lanes', 'dead'), await queueJob(tenant, 'lanes', 'dead')];
  const [beside, elsewhere] = [await queueJob(tenant, 'lanes', 'alive'), await queueJob(other, 'lanes', 'dead')];
  const startedIds: string[] = [];
  const release = Promise.withResolvers<void>();
  const run: WorkerOptions['run'] = async (job) => {
    startedIds.push(job.id);
    if (job.id === first) await release.promise;
    await finish(job);
  };
  work('lanes', run, { mostPerTenant: 4 });
  work('lanes', run, { mostPerTenant: 4 });

  await eventually(() => expect(startedIds.toSorted()).toEqual([first, beside, elsewhere].toSorted()));
  await wait(200);
  expect(startedIds).not.toContain(second);
  release.resolve();

  await eventually(() => expect(startedIds).toContain(second));
});

test('after a worker is killed, another worker takes its jobs at the next check', async () => {
  const tenant = await world.newTenant();
  const id = await queueJob(tenant, 'killed');
  const worker = 7;
  const claimed = await scopes.withoutTenant((db) =>
    sql<{ id: string }>`select * from claim_job('killed', ${worker}, interval '1 hour', 2)`.execute(db),
  );

  const seen = new Promise<Job>((resolve) => {
    work('killed', async (job) => {
      await finish(job);
      resolve(job);
    });
  });

  expect(claimed.rows[0]?.id).toBe(id);
  expect(await seen).toMatchObject({ id, tenantId: tenant.id, attempt: 2 });
});

test('a connected worker does not lose its jobs', async () => {
  const tenant = await world.newTenant();
  const startedJobs: Job[] = [];
  const run: WorkerOptions['run'] = async (job, signal) => {
    startedJobs.push(job);
    await holding((claimed) => finish(claimed))(job, signal);
  };
  const first = work('kept', run);
  await queueJob(tenant, 'kept');
  await eventually(() => expect(startedJobs).toHaveLength(1));

  work('kept', run);
  await queueJob(tenant, 'kept');
  await eventually(() => expect(startedJobs).toHaveLength(2));
  await first.stop();

  expect(new Set(startedJobs.map(({ id }) => id)).size).toBe(2);
});

test('a withdrawn job is interrupted immediately, and its worker loses it', async () => {
  const tenant = await world.newTenant();
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<{ isStop: boolean; isOurs: boolean }>();
  work('withdrawn', async (job, signal) => {
    started.resolve();
    await holding(async (claimed, { isStop }) => ended.resolve({ isStop, isOurs: await finish(claimed) }))(job, signal);
  });
  const id = await queueJob(tenant, 'withdrawn');
  await started.promise;

  await world.inTenant(tenant, (scope) => withdrawJob(scope, id));

  expect(await ended.promise).toEqual({ isStop: false, isOurs: false });
});

test('a job that is withdrawn and queued again starts only after its old run has ended', async () => {
  const tenant = await world.newTenant();
  const steps: string[] = [];
  work('again', async (job, signal) => {
    steps.push('begun');
    if (steps.length > 1) {
      await finish(job);
      return;
    }
    await holding(async () => {
      await wait(50);
      steps.push('ended');
    })(job, signal);
  });
  const id = await queueJob(tenant, 'again');
  await eventually(() => expect(steps).toEqual(['begun']));

  await world.inTenant(tenant, async (scope) => {
    await withdrawJob(scope, id);
    await enqueueJob(scope, 'again', id);
  });

  await eventually(async () => expect(await rowOf(id)).toBeUndefined());
  expect(steps).toEqual(['begun', 'ended', 'begun']);
});

/** Starts a worker whose first job is withdrawn, queued again and claimed again before the first run has ended. */
const workHanging = async (queue: string) => {
  const tenant = await world.newTenant();
  const [startedIds, end] = [[] as string[], Promise.withResolvers<void>()];
  const { stop } = work(
    queue,
    async (job) => {
      startedIds.push(job.id);
      if (startedIds.length === 1) await end.promise;
      else await finish(job);
    },
    { mostPerTenant: 4 },
  );
  const id = await queueJob(tenant, queue);
  await eventually(() => expect(startedIds).toEqual([id]));
  const first = await rowOf(id);
  await world.inTenant(tenant, async (scope) => {
    await withdrawJob(scope, id);
    await enqueueJob(scope, queue, id);
  });
  const isOursAgain = async () => {
    const row = await rowOf(id);
    return row?.worker === first?.worker && row?.run_at !== first?.run_at;
  };
  await expect.poll(isOursAgain).toBe(true);
  return { tenant, id, begun: startedIds, stop, endFirst: end.resolve };
};

test('an old run that ignores its interruption does not delay other jobs', async () => {
  const { tenant, id, begun: startedIds, endFirst } = await workHanging('hanging');
  onTestFinished(() => endFirst());

  const other = await queueJob(tenant, 'hanging');
  await eventually(async () => expect(await rowOf(other)).toBeUndefined());
  endFirst();
  await eventually(async () => expect(await rowOf(id)).toBeUndefined());

  expect(startedIds).toEqual([id, other, id]);
});

test('a job that waits for its old run returns to the queue when the worker stops', async () => {
  const { id, begun: startedIds, stop, endFirst } = await workHanging('hanging and stopping');

  const stopping = stop();
  endFirst();
  await stopping;

  expect(await rowOf(id)).toMatchObject({ worker: null, attempts: 0 });
  expect(startedIds).toEqual([id]);
});

test('a stopping worker waits for its jobs, which return to the queue without using an attempt', async () => {
  const tenant = await world.newTenant();
  const started = Promise.withResolvers<void>();
  const { stop } = work('stopping', async (job, signal) => {
    started.resolve();
    await holding((claimed) => scopes.inTenant(inTenantOf(claimed), (scope) => putBackJob(scope, claimed)))(
      job,
      signal,
    );
  });
  const id = await queueJob(tenant, 'stopping');
  await started.promise;

  await stop();

  expect(await rowOf(id)).toMatchObject({ worker: null, leased_until: null, attempts: 0 });
});

test('a failed job is reported and retried later', async () => {
  const tenant = await world.newTenant();
  const { errors } = work('failing', async () => {
    throw new Error('broken');
  });

  const id = await queueJob(tenant, 'failing');

  await eventually(async () => expect(await rowOf(id)).toMatchObject({ worker: null, attempts: 1 }));
  expect(errors).toEqual([new Error('broken')]);
  expect(Date.parse((await rowOf(id))?.run_at ?? '')).toBeGreaterThan(Date.now() - 1000);
});

test('a worker continues after its database connections were closed', async () => {
  const tenant = await world.newTenant();
  const done: string[] = [];
  work('cut', async (job) => {
    await finish(job);
    done.push(job.id);
  });
  const first = await queueJob(tenant, 'cut');
  await eventually(() => expect(done).toEqual([first]));

  await sql`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()`.execute(world.owner);
  await wait(100);
  const second = await queueJob(tenant, 'cut');

  await eventually(() => expect(done).toEqual([first, second]));
});

/** Ends all other connections, as a restart of the database would. */
const endConnections = () =>
  sql`select pg_terminate_backend(pid, 10000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(world.owner);

test('a worker receives jobs even if the clock is set back while the database restarts', async () => {
  const tenant = await world.newTenant();
  const done: string[] = [];
  work('set back', async (job) => {
    await finish(job);
    done.push(job.id);
  });
  const first = await queueJob(tenant, 'set back');
  await eventually(() => expect(done).toEqual([first]));
  await endConnections();
  // The connection reopens after a second.
  await wait(3000);
  const now = Date.now;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
  onTestFinished(() => clock.mockRestore());

  const second = await queueJob(tenant, 'set back');

  await eventually(() => expect(done).toEqual([first, second]));
});

test('after a database outage, a worker takes no jobs from another worker that reconnects soon', async () => {
  const tenant = await world.newTenant();
  const id = await queueJob(tenant, 'back again');
  const late = 8;
  await scopes.withoutTenant((db) =>
    sql`select * from claim_job('back again', ${late}, interval '1 hour', 2)`.execute(db),
  );
  const comeBack = async () => {
    const line = new pg.Client({ connectionString: world.url });
    line.on('error', () => {});
    await line.connect();
    await line.query('select pg_advisory_lock(82746, $1)', [late]);
    onTestFinished(() => line.end().catch(() => {}));
  };
  const connected = () =>
    querySql(
      world.url,
      `select pid from pg_locks where locktype = 'advisory' and classid = 82746 and granted
       and database = (select oid from pg_database where datname = current_database())`,
    );
  await comeBack();
  const startedIds: string[] = [];
  work('back again', async (job) => {
    startedIds.push(job.id);
    await finish(job);
  });
  await eventually(async () => expect(await connected()).toHaveLength(2));

  await endConnections();
  await eventually(async () => expect(await connected()).toHaveLength(1));
  await comeBack();
  const free = await queueJob(tenant, 'back again');

  await eventually(() => expect(startedIds).toContain(free));
  expect(startedIds).toEqual([free]);
  expect(await rowOf(id)).toMatchObject({ worker: late, attempts: 1 });
});

/**
 * Ends all connections to the database and refuses any new connection. Returns a function that allows connections
 * again.
 */
const takeDatabaseAway = async () => {
  const { url } = inject('postgres');
  const [row] = await querySql(world.url, 'select current_database() as name');
  const name = String(row?.name);
  const letConnect = (isLet: boolean) => runSql(url, `alter database ${name} allow_connections ${isLet}`);
  await letConnect(false);
  await runSql(url, `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name}'`);
  return () => letConnect(true);
};

test('a job that could not be tried during a database outage does not use up an attempt', async () => {
  const tenant = await world.newTenant();
  const id = await queueJob(tenant, 'database away');
  const attempts: number[] = [];
  const away = Promise.withResolvers<() => Promise<void>>();
  const notGivenBack = Promise.withResolvers<void>();
  const inTenant: Scopes['inTenant'] = (session, act) =>
    scopes.inTenant(session, act).catch((error: unknown) => {
      notGivenBack.resolve();
      throw error;
    });
  const run = async (job: Job) => {
    attempts.push(job.attempt);
    if (attempts.length > 1) {
      await finish(job);
      return;
    }
    away.resolve(await takeDatabaseAway());
    throw new RetryLater(0.01, { isAttempt: false });
  };
  work('database away', run, { scopes: { ...scopes, inTenant } });

  const bringBack = await away.promise;
  await notGivenBack.promise;
  await bringBack();

  await eventually(async () => expect(await rowOf(id)).toBeUndefined());
  expect(attempts).toEqual([1, 1]);
});
