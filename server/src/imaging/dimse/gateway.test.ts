import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { newUid } from '@radwork/dicom/uid';
import { explicitLittleEndian } from '@radwork/dicom/transfer-syntax';
import { simpleInstance } from '@radwork/phantom/instance';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { hasDcmtk, runDcmtk } from '#test/dcmtk.ts';
import { addDevice, listenForDevices, type Titles } from '#test/dimse-device.ts';
import { createWorld, type Tenant } from '#test/world.ts';
import { commandField, readCommandSet, writeCommandSet } from './command-set.ts';
import { ownUserInformation } from './negotiation.ts';
import { pduType, readData, writeAssociateRequest, writeData, writePdu, writeReleaseRequest } from './pdu.ts';
import { verification } from './sop-classes.ts';

const world = await createWorld();
const gateway = await listenForDevices(world);
afterAll(gateway.close);

const ctImageStorage = '1.2.840.10008.5.1.4.1.1.2';

/** A device that sends any bytes and receives whole protocol data units. */
const lineTo = async (port = gateway.port) => {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  let buffered = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk]);
  });
  const receive = async (): Promise<{ type: number; body: Buffer } | undefined> => {
    for (;;) {
      const length = buffered.length >= 6 ? 6 + buffered.readUInt32BE(2) : Infinity;
      if (buffered.length >= length) {
        const unit = { type: buffered.readUInt8(0), body: buffered.subarray(6, length) };
        buffered = buffered.subarray(length);
        return unit;
      }
      if (socket.closed || socket.readableEnded) return undefined;
      await Promise.race([once(socket, 'data'), closed]);
    }
  };
  return { socket, closed, hear: receive, say: (bytes: Buffer) => void socket.write(bytes) };
};

const associateRequest = ({ called, calling }: Titles, ...abstractSyntaxes: string[]) =>
  writeAssociateRequest({
    calledAeTitle: called,
    callingAeTitle: calling,
    contexts: abstractSyntaxes.map((abstractSyntax, index) => ({
      id: 2 * index + 1,
      abstractSyntax,
      transferSyntaxes: [explicitLittleEndian.uid],
    })),
    user: ownUserInformation,
  });

const storeCommand = (sopInstanceUID: string, sopClassUID = ctImageStorage) =>
  writeData({
    contextId: 1,
    isCommand: true,
    isLast: true,
    bytes: writeCommandSet({
      CommandField: commandField.store,
      hasDataSet: true,
      MessageID: 7,
      Priority: 0,
      AffectedSOPClassUID: sopClassUID,
      AffectedSOPInstanceUID: sopInstanceUID,
    }),
  });

const dataPiece = (bytes: Buffer, isLast = true) => writeData({ contextId: 1, isCommand: false, isLast, bytes });

/** The data set of a small image, without preamble and meta information. */
const dataSet = (uids: { SOPInstanceUID: string } & Record<string, string>): Buffer => {
  const file = simpleInstance({
    StudyInstanceUID: newUid(),
    SeriesInstanceUID: newUid(),
    PatientID: newUid(),
    ...uids,
  });
  return file.subarray(144 + file.readUInt32LE(140));
};

const answerIn = (unit: { body: Buffer } | undefined) =>
  readCommandSet(Buffer.concat(readData(unit?.body ?? Buffer.alloc(0)).map(({ bytes }) => bytes)));

const instancesOf = (tenant: Tenant): Promise<string[]> =>
  world.inTenant(tenant, async ({ db }) =>
    (await db.selectFrom('instances').select('sop_instance_uid').execute()).map((row) => row.sop_instance_uid),
  );

/** An admitted device of a new tenant, with an open association. */
const admitted = async (...abstractSyntaxes: string[]) => {
  const tenant = await world.newTenant();
  const line = await lineTo();
  line.say(associateRequest(await addDevice(world, tenant), ...abstractSyntaxes));
  const accept = await line.hear();
  expect(accept?.type).toBe(pduType.associateAccept);
  return { tenant, ...line };
};

test('rejects an unknown device and names the unknown AE title', async () => {
  const tenant = await world.newTenant();
  const titles = await addDevice(world, tenant);
  const elsewhere = await addDevice(world, tenant, { host: '192.0.2.10' });
  const switchedOff = await addDevice(world, tenant, { is_active: false });
  const askers = [
    { ...titles, calling: 'STRANGER' },
    { ...titles, calling: '' },
    { ...titles, called: 'NOBODY' },
    elsewhere,
    switchedOff,
  ];

  const answers = [];
  for (const asker of askers) {
    const { say, hear: receive } = await lineTo();
    say(associateRequest(asker, verification));
    answers.push(await receive());
  }

  const rejected = (reason: number) => ({ type: pduType.associateReject, body: Buffer.from([0, 1, 1, reason]) });
  expect(answers).toEqual([rejected(3), rejected(3), rejected(7), rejected(3), rejected(7)]);
});

test.skipIf(!hasDcmtk)('echoscu shows which AE title is unknown (needs dcmtk)', async () => {
  const titles = await addDevice(world, await world.newTenant());
  const to = ['127.0.0.1', String(gateway.port)];

  const stranger = await runDcmtk('echoscu', '-aet', 'STRANGER', '-aec', titles.called, ...to);
  const wrong = await runDcmtk('echoscu', '-aet', titles.calling, '-aec', 'NOBODY', ...to);

  expect(stranger.output).toContain('Calling AE Title Not Recognized');
  expect(wrong.output).toContain('Called AE Title Not Recognized');
});

test('a device stores into its own tenant only', async () => {
  const [one, other] = [await world.newTenant(), await world.newTenant()];
  const SOPInstanceUID = newUid();
  const line = await lineTo();
  line.say(associateRequest(await addDevice(world, one), ctImageStorage));
  await addDevice(world, other);
  await line.hear();

  line.say(storeCommand(SOPInstanceUID));
  line.say(dataPiece(dataSet({ SOPInstanceUID })));
  const answer = answerIn(await line.hear());

  expect(answer).toMatchObject({ CommandField: 0x8001, MessageIDBeingRespondedTo: 7, Status: 0 });
  expect([await instancesOf(one), await instancesOf(other)]).toEqual([[SOPInstanceUID], []]);
});

test('refuses an instance that is not DICOM or does not match its announcement, with a reason', async () => {
  const { tenant, say, hear: receive } = await admitted(ctImageStorage);
  const sent = [
    [newUid(), dataSet({ SOPInstanceUID: newUid() })],
    [newUid(), Buffer.from('This is a letter, and not a data set at all.')],
    ['../../etc/passwd', dataSet({ SOPInstanceUID: newUid() })],
  ] as const;

  const answers = [];
  for (const [uid, bytes] of sent) {
    say(storeCommand(uid));
    say(dataPiece(bytes));
    answers.push(answerIn(await receive()));
  }

  expect(answers).toMatchObject([
    { Status: 0xa900, ErrorComment: 'The file is not the instance that the sender announced.' },
    { Status: 0xc000 },
    { Status: 0x0117, ErrorComment: 'The SOP Instance UID is not a UID.' },
  ]);
  expect(await instancesOf(tenant)).toEqual([]);
});

test('accepts the same instance again, and refuses a different instance with its UID', async () => {
  const { tenant, say, hear: receive } = await admitted(ctImageStorage);
  const SOPInstanceUID = newUid();
  const uids = { SOPInstanceUID, StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), PatientID: 'P-1' };

  const statuses = [];
  for (const bytes of [dataSet(uids), dataSet(uids), dataSet({ ...uids, SeriesDescription: 'Other' })]) {
    say(storeCommand(SOPInstanceUID));
    say(dataPiece(bytes));
    statuses.push(answerIn(await receive()).Status);
  }

  expect(statuses).toEqual([0, 0, 0x0111]);
  expect(await instancesOf(tenant)).toEqual([SOPInstanceUID]);
});

test('offers no storage and no worklist to a device without these rights', async () => {
  const titles = await addDevice(world, await world.newTenant(), { may_store: false, may_read_worklist: false });
  const { say, hear: receive } = await lineTo();

  say(associateRequest(titles, ctImageStorage, verification, '1.2.840.10008.5.1.4.31'));
  const accept = await receive();

  const results = [...(accept?.body.toString('latin1') ?? '').matchAll(/\x21\0..(.)\0(.)\0/gs)];
  expect(results.map(([, id, result]) => [id?.charCodeAt(0), result?.charCodeAt(0)])).toEqual([
    [1, 3],
    [3, 0],
    [5, 3],
  ]);
});

test('reads a PDU that arrives byte by byte', async () => {
  const titles = await addDevice(world, await world.newTenant());
  const { socket, hear: receive } = await lineTo();

  for (const byte of associateRequest(titles, verification)) {
    socket.write(Buffer.from([byte]));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const accept = await receive();
  socket.write(writeReleaseRequest());

  expect(accept?.type).toBe(pduType.associateAccept);
  expect((await receive())?.type).toBe(pduType.releaseResponse);
});

test('an instance whose transfer breaks off at any point leaves nothing', async () => {
  const SOPInstanceUID = newUid();
  const message = Buffer.concat([storeCommand(SOPInstanceUID), dataPiece(dataSet({ SOPInstanceUID }))]);
  const tenants: Tenant[] = [];

  for (const part of [0.1, 0.3, 0.5, 0.9, 0.999]) {
    const { tenant, socket, closed } = await admitted(ctImageStorage);
    tenants.push(tenant);
    socket.write(message.subarray(0, Math.floor(message.length * part)));
    await new Promise((resolve) => setImmediate(resolve));
    socket.resetAndDestroy();
    await closed;
  }
  await expect.poll(() => gateway.associations()).toBe(0);

  expect((await Promise.all(tenants.map(instancesOf))).flat()).toEqual([]);
  expect(await readdir(join(world.dataDir, 'archive', 'incoming'))).toEqual([]);
});

test('bytes that are not DICOM end only the connection that sent them', async () => {
  const { say, hear: receive } = await admitted(verification);
  const garbage = [
    Buffer.from('GET / HTTP/1.1\r\nHost: radwork\r\n\r\n'),
    Buffer.alloc(2000, 0xff),
    writePdu(pduType.associateRequest, Buffer.alloc(3)),
    writePdu(pduType.associateRequest, Buffer.alloc(200, 0x20)),
    Buffer.from([pduType.associateRequest, 0, 0xff, 0xff, 0xff, 0xff]),
    storeCommand(newUid()),
    writePdu(pduType.releaseRequest, Buffer.alloc(4)),
    writePdu(pduType.abort, Buffer.alloc(4)),
  ];

  for (const bytes of garbage) {
    const line = await lineTo();
    line.say(bytes);
    expect((await line.hear())?.type).toBe(pduType.abort);
    await line.closed;
  }

  say(
    writeData({
      contextId: 1,
      isCommand: true,
      isLast: true,
      bytes: writeCommandSet({ CommandField: commandField.echo, hasDataSet: false, MessageID: 3 }),
    }),
  );
  expect(answerIn(await receive())).toMatchObject({ CommandField: 0x8030, MessageIDBeingRespondedTo: 3, Status: 0 });
});

test('a protocol violation within an association aborts it', async () => {
  const command = { CommandField: commandField.echo, hasDataSet: false, MessageID: 1 };
  const echo = (contextId: number, isCommand = true) =>
    writeData({ contextId, isCommand, isLast: true, bytes: writeCommandSet(command) });
  const breaches = [
    echo(99),
    echo(1, false),
    writePdu(pduType.data, Buffer.from([0xff, 0xff, 0xff, 0xff, 1, 3])),
    writePdu(pduType.data, Buffer.alloc(5)),
    Buffer.from([pduType.data, 0, 0x10, 0, 0, 0]),
    writeData({ contextId: 1, isCommand: true, isLast: true, bytes: Buffer.from([0, 0, 0, 1, 255, 255, 255, 255]) }),
    associateRequest({ called: 'AGAIN', calling: 'AGAIN' }, verification),
  ];

  for (const bytes of breaches) {
    const { say, hear: receive } = await admitted(verification);
    say(bytes);
    expect((await receive())?.type).toBe(pduType.abort);
  }
});

test('answers an unsupported command with "unrecognized operation"', async () => {
  const { say, hear: receive } = await admitted(verification);

  const command = { CommandField: 0x0140, hasDataSet: false, MessageID: 9 };
  say(writeData({ contextId: 1, isCommand: true, isLast: true, bytes: writeCommandSet(command) }));

  expect(answerIn(await receive())).toMatchObject({
    CommandField: 0x8140,
    MessageIDBeingRespondedTo: 9,
    Status: 0x0211,
  });
});

test('closes a connection whose association request does not arrive completely in time', async () => {
  const line = await lineTo();
  line.say(Buffer.from([pduType.associateRequest, 0, 0, 0, 0, 200]));
  const began = performance.now();

  await line.closed;

  expect(performance.now() - began).toBeLessThan(30_000);
});

test('limits the associations of one address', async () => {
  const lines = await Promise.all(Array.from({ length: 8 }, () => lineTo()));

  const ninth = await lineTo();
  await ninth.closed;

  expect(lines.every(({ socket }) => !socket.destroyed)).toBe(true);
});

test('stores when a device last connected, and logs none of the data that the device sent', async () => {
  const { tenant, say, hear: receive } = await admitted(ctImageStorage);
  const SOPInstanceUID = newUid();

  say(storeCommand(SOPInstanceUID));
  say(dataPiece(dataSet({ SOPInstanceUID, PatientName: 'Secret^Name' })));
  await receive();

  const [device] = await world.inTenant(tenant, ({ db }) =>
    db.selectFrom('application_entities').select('last_seen_at').execute(),
  );
  expect(device?.last_seen_at).toMatch(/^20/);
  expect(JSON.stringify(gateway.logged)).not.toMatch(/Secret|letter|passwd/);
});

test('audits stored images once for each study, under the AE title and address of the device', async () => {
  const { tenant, say, hear: receive } = await admitted(ctImageStorage);
  const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), PatientID: 'P-1' };

  for (const SOPInstanceUID of [newUid(), newUid()]) {
    say(storeCommand(SOPInstanceUID));
    say(dataPiece(dataSet({ ...uids, SOPInstanceUID })));
    await receive();
  }

  const entries = await world.inTenant(tenant, ({ db }) =>
    db.selectFrom('audit_entries').select(['action', 'username', 'address']).execute(),
  );
  expect(entries).toEqual([
    { action: 'study.store', username: expect.stringMatching(/^D[\da-f]+$/), address: '127.0.0.1' },
  ]);
});
