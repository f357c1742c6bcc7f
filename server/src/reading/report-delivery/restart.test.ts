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

/** Starts a server process on the data of this test world. Only this process sends reports. */
const startSending = async () => {
  await claimStore(world);
  const server = startServer({
    ...reachingThisMachine,
    REMOTE_TIMEOUT_SECONDS: '30',
    // The embedded database has a socket path as its host, but a URL also needs a host name.
    DATABASE_URL: world.url.replace('@/', '@localhost/'),
    DATA_DIR: world.dataDir,
  });
  await addressOf(server);
  return server;
};

/** Prepares a report that a FHIR server has received but not confirmed. */
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

test('a server killed while sending a report sends it after the restart, without a duplicate', async () => {
  const { fhir, person, id, server } = await prepareHalf();

  server.child.kill('SIGKILL');
  await server.ended;
  const [delivery] = await deliveries(person, id);
  fhir.recover();
  await startSending();
  const sent = await delivered(person, id);

  expect(delivery?.state).toBe('RUNNING');
  expect(sent).toMatchObject({ state: 'SENT', attempts: 2, error: '' });
  expect(await fhir.all<DiagnosticReport>('DiagnosticReport')).toHaveLength(1);
});

test('a stopped server returns its report to the queue, and another server sends it', async () => {
  const { fhir, person, id, server } = await prepareHalf();

  server.child.kill('SIGTERM');
  const { code } = await server.ended;
  const [delivery] = await deliveries(person, id);
  fhir.recover();
  await startSending();

  expect(code).toBe(0);
  expect(delivery?.state).toBe('QUEUED');
  await eventually(async () => expect((await deliveries(person, id))[0]?.state).toBe('SENT'));
});
