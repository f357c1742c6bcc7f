import { expect, onTestFinished, test } from 'vitest';
import type { DiagnosticReport } from 'fhir/r4';
import { claimStore } from '#test/claim-store.ts';
import { deliverySteps } from '#test/delivery-steps.ts';
import { eventually } from '#test/eventually.ts';
import { startFhirServer } from '#test/fhir-server.ts';
import { reachingThisMachine } from '#test/import-steps.ts';
import { reportSteps } from '#test/report-steps.ts';
import { addressOf, startServer } from '#test/server-process.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld(reachingThisMachine);
const { begin, finalize } = reportSteps(world);
const { configureFhir, send, deliveries, delivered } = deliverySteps(world);

/** A server in a process of its own, on the database and the data of this world; only it sends reports. */
const startSending = async () => {
  await claimStore(world);
  const server = startServer({
    ...reachingThisMachine,
    REMOTE_TIMEOUT_SECONDS: '30',
    // The embedded server has a socket's path for a host, and a URL wants a name as well.
    DATABASE_URL: world.url.replace('@/', '@localhost/'),
    DATA_DIR: world.dataDir,
  });
  await addressOf(server);
  return server;
};

/** A report that is on its way to a FHIR server, which has got it and does not answer. */
const prepareHalf = async () => {
  const fhir = await startFhirServer();
  onTestFinished(fhir.stop);
  const person = await world.signIn();
  const { id } = await begin(person);
  await finalize(person, id);
  fhir.misbehave('answers nothing');
  const arrived = Promise.withResolvers<void>();
  fhir.whenAsked(arrived.resolve);
  await send(person, await configureFhir(person, fhir.url), id);
  const server = await startSending();
  await arrived.promise;
  return { fhir, person, id, server };
};

test('a server that is killed while it sends a report sends it when it is back, and the report is there once', async () => {
  const { fhir, person, id, server } = await prepareHalf();

  server.child.kill('SIGKILL');
  await server.ended;
  const [left] = await deliveries(person, id);
  fhir.recover();
  await startSending();
  const sent = await delivered(person, id);

  expect(left?.state).toBe('RUNNING');
  expect(sent).toMatchObject({ state: 'SENT', attempts: 2, error: '' });
  expect(await fhir.all<DiagnosticReport>('DiagnosticReport')).toHaveLength(1);
});

test('a server that is asked to stop gives its report back to the queue, and another sends it', async () => {
  const { fhir, person, id, server } = await prepareHalf();

  server.child.kill('SIGTERM');
  const { code } = await server.ended;
  const [left] = await deliveries(person, id);
  fhir.recover();
  await startSending();

  expect(code).toBe(0);
  expect(left?.state).toBe('QUEUED');
  await eventually(async () => expect((await deliveries(person, id))[0]?.state).toBe('SENT'));
});
