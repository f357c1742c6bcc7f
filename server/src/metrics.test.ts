import { newId } from './core/values/ids.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { figure, readExposition, type MetricSample } from '#test/prometheus-text.ts';
import { importSteps, reachingThisMachine } from '#test/import-steps.ts';
import { registeredRoutes } from '#test/registered-routes.ts';
import { lineStarting } from '#test/server-process.ts';
import { serve } from '#test/served-world.ts';
import { image, related } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

// Runs a whole server in a separate process, makes real calls, and reads metrics like Prometheus.

const world = await createWorld(reachingThisMachine);

const start = async (settings: Record<string, string> = {}) => {
  const server = serve(world, { ...reachingThisMachine, METRICS_PORT: '0', ...settings });
  const address = (await lineStarting(server, 'Radwork is on ')).replace('Radwork is on ', '');
  const metrics = (await lineStarting(server, 'Metrics are on ')).replace('Metrics are on ', '');
  return {
    server,
    metrics,
    scrape: async () => readExposition(await (await fetch(metrics)).text()),
    ask: async (path: string, person?: Person, more: RequestInit = {}) => {
      const headers = new Headers(more.headers);
      if (person) headers.set('authorization', `Bearer ${person.token}`);
      const answer = await fetch(`${address}${path}`, { ...more, headers });
      await answer.arrayBuffer();
      return answer.status;
    },
  };
};

type TestServer = Awaited<ReturnType<typeof start>>;

const upload = ({ ask }: TestServer, person: Person, bytes: Buffer) => {
  const { payload, headers } = related(bytes);
  return ask('/dicom-web/studies', person, { method: 'POST', headers, body: new Uint8Array(payload) });
};

const requests = (scraped: MetricSample[], labels: Record<string, string>) =>
  figure(scraped, 'radwork_http_request_duration_seconds_count', labels);

test('the metrics count the work of the server and name no user or patient', async () => {
  const running = await start();
  const { ask, scrape, metrics } = running;
  const person = await world.signIn('ADMIN');
  const patient = await world.signIn('PATIENT', person.tenant);
  const file = image({ PatientName: 'CANARY^Name', PatientID: 'CANARY-1' });
  const configurationId = await importSteps(world).configure(person, 'http://127.0.0.1:1/canary-host');

  const answers = [
    await upload(running, person, file.bytes),
    await upload(running, person, file.bytes),
    await upload(running, person, file.bytes.subarray(0, 200)),
    await ask('/api/studies?searchQuery=CANARY', person),
    await ask(`/api/studies/${newId()}`, person),
    await ask('/api/users', patient),
    await ask('/api/users'),
    await ask(`/CANARY/${newId()}`, person),
    await ask(`/api/configurations/${configurationId}/test`, person, { method: 'POST' }),
  ];
  const scraped = await scrape();

  expect(answers.slice(0, 8)).toEqual([200, 200, 409, 200, 404, 403, 401, expect.any(Number)]);
  expect(requests(scraped, { route: '/dicom-web/studies', method: 'POST', status: '2xx' })).toBe(2);
  expect(requests(scraped, { route: '/dicom-web/studies', method: 'POST', status: '4xx' })).toBe(1);
  expect(requests(scraped, { route: '/api/studies/:id', status: '4xx' })).toBe(1);
  expect(requests(scraped, { route: '/api/users', status: '4xx' })).toBe(2);
  expect(requests(scraped, { route: 'none' })).toBe(1);
  expect(figure(scraped, 'radwork_ingest_instances_total', { new: 'yes' })).toBe(1);
  expect(figure(scraped, 'radwork_ingest_instances_total', { new: 'no' })).toBe(1);
  expect(figure(scraped, 'radwork_ingest_bytes_total', { new: 'yes' })).toBe(file.bytes.length);
  expect(figure(scraped, 'radwork_ingest_refused_total', { reason: 'cannotUnderstand' })).toBe(1);
  expect(figure(scraped, 'radwork_http_refused_total', { error: 'access.denied' })).toBe(1);
  expect(figure(scraped, 'radwork_http_refused_total', { error: 'session.missing' })).toBe(1);
  expect(figure(scraped, 'radwork_store_write_seconds_count', { operation: 'sync' })).toBeGreaterThanOrEqual(1);
  expect(figure(scraped, 'radwork_store_write_seconds_count', { operation: 'keep' })).toBeGreaterThanOrEqual(1);
  expect(figure(scraped, 'radwork_store_write_seconds_count', { operation: 'probe' }) ?? 0).toBeLessThanOrEqual(1);
  expect(
    figure(scraped, 'radwork_remote_calls_total', {
      protocol: 'DICOMWEB',
      operation: 'test',
      outcome: 'CONNECTION_REFUSED',
    }),
  ).toBe(1);
  expect(figure(scraped, 'radwork_up', { part: 'database' })).toBe(1);
  expect(figure(scraped, 'radwork_up', { part: 'store' })).toBe(1);
  for (const name of ['radwork_store_free_bytes', 'process_resident_memory_bytes', 'process_cpu_seconds_total']) {
    expect({ name, value: figure(scraped, name) }).toEqual({ name, value: expect.any(Number) });
  }
  expect(figure(scraped, 'radwork_event_loop_delay_seconds', { quantile: '0.99' })).toBeLessThan(60);
  expect(figure(scraped, 'radwork_database_connections', { state: 'waiting' })).toBe(0);
  const [sealed = 0, unsealed = 0] = ['sealed', 'unsealed'].map((kind) =>
    figure(scraped, `radwork_audit_${kind}_entries`),
  );
  expect(sealed + unsealed).toBeGreaterThan(0);
  tellsNobody(scraped);
  expect((await fetch(metrics)).headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
});

/**
 * Checks that the labels contain no data of persons: every label is a short text, and every route is a registered
 * template.
 */
const tellsNobody = (scraped: MetricSample[]) => {
  const routes = new Set(['none', ...registeredRoutes(world.app).map((route) => route.replace(/^\S+ /, ''))]);
  const labels = scraped.flatMap((one) => Object.entries(one.labels));
  const unexpected = labels.filter(([name, value]) =>
    name === 'route' ? !routes.has(value) : !/^[A-Za-z_. ]{1,30}$|^[1-5]xx$|^\+Inf$|^\d+(\.\d+)?$/.test(value),
  );
  expect(unexpected).toEqual([]);
  expect(JSON.stringify(labels)).not.toMatch(/CANARY|canary|127\.0|[0-9a-f]{8}-[0-9a-f]{4}/);
};

test('the metrics count jobs by queue, with the age of the oldest due job', async () => {
  const { scrape } = await start();
  const { tenant } = await world.signIn();
  const add = (queue: string, due: string) =>
    world.inTenant(tenant, ({ db }) =>
      sql`insert into jobs (id, queue, run_at) values (${newId()}, ${queue}, now() + ${due}::interval)`.execute(db),
    );
  // A queue that has no worker.
  await add('unworked', '-90 seconds');
  await add('unworked', '-10 seconds');
  await add('unworked', '1 hour');

  const scraped = await scrape();

  const jobs = (state: string) => figure(scraped, 'radwork_jobs', { queue: 'unworked', state });
  expect([jobs('due'), jobs('later'), jobs('running')]).toEqual([2, 1, 0]);
  const oldest = figure(scraped, 'radwork_jobs_oldest_due_seconds', { queue: 'unworked' });
  expect(oldest).toBeGreaterThanOrEqual(90);
  expect(oldest).toBeLessThan(150);
});

test('metrics are served alone on their own port, and only when configured', async () => {
  const { metrics, server } = await start();
  const elsewhere = await fetch(metrics.replace('/metrics', '/api/about'));
  const posted = await fetch(metrics, { method: 'POST' });
  server.child.kill('SIGTERM');

  expect([elsewhere.status, posted.status]).toEqual([404, 404]);
  expect(await server.ended).toEqual({ code: 0, complaint: '' });
  const without = serve(world, {});
  await lineStarting(without, 'Radwork is on ');
  without.child.kill('SIGTERM');
  await expect(lineStarting(without, 'Metrics')).rejects.toThrow('The server ended without saying');
});
