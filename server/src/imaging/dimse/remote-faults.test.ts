import { afterAll, expect, test } from 'vitest';
import { systemSession } from '#core/access/scope.ts';
import { startSocketServer } from '#test/socket-pair.ts';
import { addDevice, listenForDevices } from '#test/dimse-device.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld } from '#test/world.ts';
import { createDimseSource } from '#imaging/remote-archives/dimse-source.ts';
import { explicitLittleEndian } from '@radwork/dicom/transfer-syntax';
import { ownUserInformation } from './negotiation.ts';
import { contextResult, pduType, writeAssociateAccept, writePdu, writeReject } from './pdu.ts';
import { readRemoteAddress } from './remote-address.ts';

const world = await createWorld();
const gateway = await listenForDevices(world);
afterAll(gateway.close);

const noKeys = {
  patientName: '',
  patientId: '',
  accessionNumber: '',
  modality: '',
  studyInstanceUID: '',
  studyDate: '',
};
const noSignal = new AbortController().signal;

const answering = (...answers: Buffer[]) =>
  startSocketServer((socket) => {
    socket.on('data', () => {
      const answer = answers.shift();
      if (answer) socket.write(answer);
    });
  });

const sourceAt = (port: number, title = 'OTHER') =>
  createDimseSource({
    peer: readRemoteAddress({ baseUrl: `dicom://127.0.0.1:${port}/US`, aeTitle: title }),
    locate: async (address) => ({ address }),
    mostInstanceBytes: 1 << 20,
    arrivals: undefined,
  });

const accept = writeAssociateAccept({
  calledAeTitle: 'OTHER',
  callingAeTitle: 'US',
  contexts: [{ id: 1, result: contextResult.accepted, transferSyntax: explicitLittleEndian.uid }],
  user: ownUserInformation,
});

test('explains each fault of a remote archive', async () => {
  const closed = await startSocketServer((socket) => socket.destroy());
  const faults: [number, string, string][] = [
    [
      await answering(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')),
      'WRONG_SERVICE',
      'does not follow the DICOM protocol',
    ],
    [await answering(writeReject(1, 1, 3)), 'ASSOCIATION_REJECTED', 'it does not know the AE title of this server'],
    [await answering(writeReject(1, 1, 7)), 'ASSOCIATION_REJECTED', 'its AE title is different'],
    [await answering(writeReject(2, 3, 2)), 'ASSOCIATION_REJECTED', 'too many associations'],
    [await answering(writeReject(9, 9, 9)), 'ASSOCIATION_REJECTED', 'no reason was given'],
    [await answering(accept, writePdu(pduType.abort, Buffer.alloc(4))), 'OTHER', 'closed the association'],
    [
      await answering(accept, Buffer.from([4, 0, 0xff, 0xff, 0xff, 0xff])),
      'WRONG_SERVICE',
      'does not follow the DICOM protocol',
    ],
    [
      await answering(accept, writePdu(pduType.data, Buffer.alloc(5))),
      'WRONG_SERVICE',
      'does not follow the DICOM protocol',
    ],
    [closed, 'OTHER', 'closed the'],
    [1, 'CONNECTION_REFUSED', 'refuses connections'],
  ];

  for (const [port, remoteCause, words] of faults) {
    await expect(sourceAt(port).test(noSignal)).rejects.toMatchObject({
      name: 'RemoteError',
      remoteCause,
      message: expect.stringContaining(words),
    });
  }
});

test('distinguishes an archive that does not support queries from one that finds nothing', async () => {
  const tenant = await world.newTenant();
  const { called } = await addDevice(world, tenant, { calling_ae_title: 'US', may_query: false });

  const searching = sourceAt(gateway.port, called).searchStudies(noKeys, 10, noSignal);

  await expect(searching).rejects.toMatchObject({
    remoteCause: 'WRONG_SERVICE',
    message: expect.stringContaining('does not support queries'),
  });
});

test('when a request is aborted, it stops waiting for the answer of the archive', async () => {
  const port = await answering(accept);
  const stop = new AbortController();
  const reason = new Error('nobody wants it any more');

  const testing = sourceAt(port).test(stop.signal);
  setTimeout(() => stop.abort(reason), 50);

  await expect(testing).rejects.toBe(reason);
});

test('reports a time-out if an archive does not answer', async () => {
  const silent = await startSocketServer(() => {});
  const silentOnceAccepted = await answering(accept);
  const inTime = () => AbortSignal.timeout(100);

  const outcomes = await Promise.allSettled([
    sourceAt(silent).test(inTime()),
    sourceAt(silent).searchStudies(noKeys, 10, inTime()),
    sourceAt(silentOnceAccepted).test(inTime()),
  ]);

  const inWords = { name: 'RemoteError', remoteCause: 'TIMEOUT', message: expect.stringContaining('did not answer') };
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: inWords });
});

test('cancels a search after the requested number of studies and reports that there are more', async () => {
  const tenant = await world.newTenant();
  const { called } = await addDevice(world, tenant, { calling_ae_title: 'US' });
  await world.context.scopes.inTenant(systemSession(tenant.id), async (scope) => {
    for (let count = 0; count < 30; count += 1) await addStudy(scope);
  });

  const { studies, hasMore } = await sourceAt(gateway.port, called).searchStudies(noKeys, 5, noSignal);

  expect([studies.length, hasMore]).toEqual([5, true]);
});

test('reads both AE titles from the address of an archive', () => {
  expect(readRemoteAddress({ baseUrl: 'dicom://PACS%201@10.0.0.5:11112/CLINIC', aeTitle: 'Main archive' })).toEqual({
    host: '10.0.0.5',
    port: 11112,
    isTls: false,
    calledAeTitle: 'PACS 1',
    callingAeTitle: 'CLINIC',
  });
  expect(readRemoteAddress({ baseUrl: 'dicom://[2001:db8::1]', aeTitle: 'PACS' })).toEqual({
    host: '2001:db8::1',
    port: 104,
    isTls: false,
    calledAeTitle: 'PACS',
    callingAeTitle: 'RADWORK',
  });
  for (const baseUrl of [
    'https://pacs.lan',
    'dicom://A%5CB@host',
    'dicom://THIS-TITLE-IS-TOO-LONG@host',
    'dicom://%ff@host',
    '',
  ]) {
    expect(() => readRemoteAddress({ baseUrl, aeTitle: 'PACS' })).toThrow(/The address|An AE title/);
  }
});
