import { once } from 'node:events';
import { rm, truncate } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { explicitLittleEndian } from '@radwork/dicom/transfer-syntax';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { createWado } from '#imaging/archive/dicomweb/wado-context.ts';
import { archivedImages } from '#test/archived-images.ts';
import { addDevice, listenForDevices, type Titles } from '#test/dimse-device.ts';
import { bothEnds } from '#test/socket-pair.ts';
import { createWorld, type Tenant } from '#test/world.ts';
import { type Association, type Context, createAssociation, readWhole } from './association.ts';
import { commandField, responseTo } from './command-set.ts';
import { openConnection } from './connection.ts';
import { mostIdentifierBytes, readIdentifier, writeIdentifier } from './identifier.ts';
import { answerContexts, mostBytesHere } from './negotiation.ts';
import { findDevice } from './devices.ts';
import { answerGet } from './query-retrieve-scp.ts';
import { contextOf, openAssociation } from './open-association.ts';
import { mostAssociateBytes, readAssociateRequest, writeAssociateAccept, writeReleaseResponse } from './pdu.ts';
import { studyRoot } from './sop-classes.ts';

const world = await createWorld({ REMOTE_ALLOW: 'net=127.0.0.1 ports=1024-65535 protocols=dicom' });
const gateway = await listenForDevices(world);
afterAll(gateway.close);

const ctImageStorage = '1.2.840.10008.5.1.4.1.1.2';

type Command = { CommandField: number; MoveDestination?: string };

const askIn = (association: Association, context: Context, studyUid: string, command: Command): Promise<void> => {
  const identifier = { QueryRetrieveLevel: 'STUDY', StudyInstanceUID: studyUid };
  const bytes = writeIdentifier(identifier, explicitLittleEndian.uid);
  return association.send(context, { ...command, MessageID: 1, Priority: 0 }, bytes);
};

/** Connects as a device and requests a study. */
const requestStudy = async ({ called, calling }: Titles, studyUid: string, command: Command, isSentTo = true) => {
  const isGet = command.CommandField === commandField.get;
  const abstractSyntax = isGet ? studyRoot.get : studyRoot.move;
  const peer = { host: '127.0.0.1', port: gateway.port, calledAeTitle: called, callingAeTitle: calling };
  const transferSyntaxes = [explicitLittleEndian.uid];
  const contexts = [abstractSyntax, ctImageStorage].map((uid) => ({ abstractSyntax: uid, transferSyntaxes }));
  const roles = isSentTo ? [{ sopClassUID: ctImageStorage, isUser: false, isProvider: true }] : [];
  const locate = async (address: string) => ({ address });
  const { signal } = new AbortController();
  const { association, breakOff } = await openAssociation(peer, locate, { contexts, roles }, signal);
  onTestFinished(breakOff);
  const context = contextOf(association, abstractSyntax);
  if (!context) throw new Error('The retrieval was not agreed on');
  await askIn(association, context, studyUid, command);
  return association;
};

/**
 * Receives the instances of an association. Calls `onObject` for each; it may return a status for the response. Returns
 * the final answer.
 */
const take = async (association: Association, onObject: (uid: string) => Promise<number | void>) => {
  for (;;) {
    const message = await association.receive(30_000);
    if (!message) return undefined;
    const { command, context, dataSet } = message;
    if (command.CommandField !== commandField.store) {
      const list = dataSet && readIdentifier(await readWhole(dataSet, mostIdentifierBytes), context.transferSyntax);
      if (command.Status !== 0xff00) return { ...command, failed: list?.['00080058']?.Value ?? [] };
      continue;
    }
    await dataSet?.drain(1 << 30);
    const status = await onObject(command.AffectedSOPInstanceUID ?? '');
    await association.send(context, {
      CommandField: responseTo(commandField.store),
      AffectedSOPClassUID: context.abstractSyntax,
      MessageIDBeingRespondedTo: command.MessageID ?? 0,
      Status: status ?? 0,
    });
  }
};

const get = async (
  titles: Titles,
  studyUid: string,
  { isSentTo = true, onObject = async () => {} }: { isSentTo?: boolean; onObject?: () => Promise<number | void> } = {},
) => {
  const received: string[] = [];
  const association = await requestStudy(titles, studyUid, { CommandField: commandField.get }, isSentTo);
  const taking = take(association, async (uid) => {
    received.push(uid);
    return onObject();
  });
  const last = await taking.catch((error: Error) => error.name);
  return { received, last };
};

type Target = { title: string; port: number; received: readonly string[] };

/** A second device of the tenant, as a destination. Calls `onObject` for each received instance. */
const destination = async (
  tenant: Tenant,
  { called }: Titles,
  onObject: (received: readonly string[], socket: Socket) => void | Promise<void> = () => {},
): Promise<Target> => {
  const received: string[] = [];
  const serve = async (socket: Socket) => {
    const connection = openConnection(socket);
    const { body } = await connection.read(mostAssociateBytes, 10_000);
    const rights = { mayStore: true, mayReadWorklist: false, mayQuery: false };
    const { accept, agreed } = answerContexts(readAssociateRequest(body), rights);
    await connection.write(writeAssociateAccept(accept));
    const association = createAssociation(connection, { contexts: agreed, mostBytesThere: 0, mostBytesHere });
    await take(association, async (uid) => {
      received.push(uid);
      await onObject(received, socket);
    });
    connection.end(writeReleaseResponse());
  };
  const server = createServer((socket) => void serve(socket).catch(() => socket.destroy())).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const { calling } = await addDevice(world, tenant, { called_ae_title: called, host: '127.0.0.1', port });
  return { title: calling, port, received };
};

const move = async (titles: Titles, studyUid: string, MoveDestination: string) =>
  take(await requestStudy(titles, studyUid, { CommandField: commandField.move, MoveDestination }), async () => {});

const withStudy = async (count = 3, size = 600) => {
  const tenant = await world.newTenant();
  return {
    tenant,
    titles: await addDevice(world, tenant),
    ...(await archivedImages(world, tenant, Array<number>(count).fill(size))),
  };
};

test('reports an instance with a missing file as failed and sends the other instances', async () => {
  const { tenant, titles, studyUid, uids, files } = await withStudy();
  const target = await destination(tenant, titles);
  await rm(files[1] ?? '');

  const retrieved = await get(titles, studyUid);
  const moved = await move(titles, studyUid, target.title);

  const outcome = { Status: 0xb000, NumberOfCompletedSuboperations: 2, failed: [uids[1]] };
  expect(retrieved).toMatchObject({ received: [uids[0], uids[2]], last: outcome });
  expect(moved).toMatchObject(outcome);
  expect(target.received).toEqual([uids[0], uids[2]]);
});

test('reports an instance with a truncated file as failed and sends the other instances', async () => {
  const { tenant, titles, studyUid, uids, files } = await withStudy();
  const target = await destination(tenant, titles);
  await truncate(files[1] ?? '', 300_000);

  const retrieved = await get(titles, studyUid);
  const moved = await move(titles, studyUid, target.title);

  const outcome = { Status: 0xb000, NumberOfCompletedSuboperations: 2, failed: [uids[1]] };
  expect(retrieved).toMatchObject({ received: [uids[0], uids[2]], last: outcome });
  expect(moved).toMatchObject(outcome);
  expect(target.received).toEqual([uids[0], uids[2]]);
});

test('a large truncated instance ends C-GET, while C-MOVE still sends the other instances', async () => {
  const { tenant, titles, studyUid, uids, files } = await withStudy(3, 1000);
  const target = await destination(tenant, titles);
  await truncate(files[1] ?? '', 1_900_000);

  const retrieved = await get(titles, studyUid);
  const moved = await move(titles, studyUid, target.title);

  // C-GET cannot send an error in the middle of an instance, so the connection is closed.
  expect(retrieved).toEqual({ received: [uids[0]], last: 'ConnectionLost' });
  expect(moved).toMatchObject({ Status: 0xb000, NumberOfCompletedSuboperations: 2, failed: [uids[1]] });
  expect(target.received).toEqual([uids[0], uids[2]]);
});

test('when a destination disconnects, reports which instances arrived and which failed', async () => {
  const { tenant, titles, studyUid, uids } = await withStudy();
  const target = await destination(tenant, titles, (received, socket) => {
    if (received.length === 2) socket.destroy();
  });

  const moved = await move(titles, studyUid, target.title);

  expect(moved).toMatchObject({
    Status: 0xb000,
    NumberOfCompletedSuboperations: 1,
    NumberOfFailedSuboperations: 2,
    failed: uids.slice(1),
    ErrorComment: expect.stringContaining(target.title),
  });
});

test('audits the destination of each C-MOVE, and nothing for an unknown destination', async () => {
  const { tenant, titles, studyUid } = await withStudy(1);
  const [one, other] = [await destination(tenant, titles), await destination(tenant, titles)];

  for (const title of [one.title, other.title, 'NOBODY', one.title]) await move(titles, studyUid, title);

  const entries = await world.inTenant(tenant, ({ db }) =>
    db.selectFrom('audit_entries').select('detail').where('action', '=', 'study.retrieve').orderBy('id').execute(),
  );
  const places = [one, other, one].map(({ title, port }) => ({ destination: title, host: '127.0.0.1', port }));
  expect(entries.map(({ detail }) => detail)).toEqual(places);
});

/** Changes a device while it is connected, and moves the clock forward so that its rights are checked again. */
const change = async (tenant: Tenant, calling: string, to: { is_active: boolean } | { may_query: boolean }) => {
  await world.inTenant(tenant, ({ db }) =>
    db.updateTable('application_entities').set(to).where('calling_ae_title', '=', calling).execute(),
  );
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11_000 });
  onTestFinished(() => void vi.useRealTimers());
};

test.for([{ is_active: false }, { may_query: false }])(
  'a device changed to %o during a retrieval receives no further instances',
  async (withdrawn) => {
    const { tenant, titles, studyUid, uids } = await withStudy();

    const retrieved = await get(titles, studyUid, { onObject: () => change(tenant, titles.calling, withdrawn) });

    expect(retrieved).toEqual({ received: [uids[0]], last: 'ConnectionLost' });
  },
);

test('a destination that is deactivated during C-MOVE receives no further instances', async () => {
  const { tenant, titles, studyUid, uids } = await withStudy();
  const target: Target = await destination(tenant, titles, () => change(tenant, target.title, { is_active: false }));

  const moved = await move(titles, studyUid, target.title);

  expect(moved).toMatchObject({ Status: 0xb000, NumberOfCompletedSuboperations: 1, failed: uids.slice(1) });
  expect(target.received).toEqual([uids[0]]);
});

test('sends a device only the SOP classes that it proposed to receive', async () => {
  const { titles, studyUid, uids } = await withStudy();

  const retrieved = await get(titles, studyUid, { isSentTo: false });

  expect(retrieved).toMatchObject({ received: [], last: { Status: 0xa702, failed: uids } });
});

test('refuses a retrieval above the limit of instances, and asks the device to request fewer', async () => {
  const { titles, studyUid } = await withStudy();
  const caller = { calledAeTitle: titles.called, callingAeTitle: titles.calling, address: '127.0.0.1' };
  const device = await findDevice(world.context, caller);
  if (typeof device === 'string') throw new Error('The device is not let in');
  const wado = createWado(world.context);
  onTestFinished(() => wado.renderer.close());
  const [ownSocket, peerSocket] = await bothEnds();
  const context = { id: 1, abstractSyntax: studyRoot.get, transferSyntax: explicitLittleEndian.uid };
  const terms = { contexts: new Map([[1, context]]), mostBytesThere: 0, mostBytesHere };
  const ours = createAssociation(openConnection(ownSocket), terms);
  const peerAssociation = createAssociation(openConnection(peerSocket), terms);

  const taking = take(peerAssociation, async () => {});
  await askIn(peerAssociation, context, studyUid, { CommandField: commandField.get });
  const message = await ours.receive(30_000);
  if (!message) throw new Error('Nothing is asked for');
  await answerGet(ours, message, {
    wado,
    outgoing: world.context.outgoing,
    device,
    sentTo: new Set(),
    most: 2,
    confirm: async () => {},
    onError: (error) => expect.unreachable(String(error)),
    stopping: new AbortController().signal,
  });

  expect(await taking).toMatchObject({ Status: 0xa701, ErrorComment: 'More than 2 instances. Narrow the request.' });
});

test('counts an instance that the destination stores with a warning as a warning', async () => {
  const { titles, studyUid } = await withStudy(1);

  const { last } = await get(titles, studyUid, { onObject: async () => 0xb007 });

  const counts = { NumberOfCompletedSuboperations: 0, NumberOfWarningSuboperations: 1, NumberOfFailedSuboperations: 0 };
  expect(last).toMatchObject({ Status: 0xb000, ...counts, failed: [] });
});
