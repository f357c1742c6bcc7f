import type { Socket } from 'node:net';
import { explicitLittleEndian } from '@radwork/dicom/transfer-syntax';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { StorageUnavailable } from '#core/blobs/blob-store.ts';
import { bothEnds } from '#test/socket-pair.ts';
import type { FoundInstance } from './archive-queries.ts';
import { type Association, createAssociation, type Message, readWhole } from './association.ts';
import { commandField } from './command-set.ts';
import { openConnection } from './connection.ts';
import { mostIdentifierBytes, readIdentifier } from './identifier.ts';
import { sendAll } from './retrieve-scp.ts';
import { studyRoot } from './sop-classes.ts';

const context = { id: 1, abstractSyntax: studyRoot.get, transferSyntax: explicitLittleEndian.uid };

const associationOn = (socket: Socket): Association =>
  createAssociation(openConnection(socket), {
    contexts: new Map([[context.id, context]]),
    mostBytesThere: 0,
    mostBytesHere: 1 << 20,
  });

const request: Message = {
  context,
  command: { CommandField: commandField.get, hasDataSet: true, MessageID: 1 },
  dataSet: undefined,
};

/** A UID of the greatest allowed length. */
const longUid = () => newUid().padEnd(64, '1');

const objects = (count: number): FoundInstance[] =>
  Array.from({ length: count }, () => ({
    studyUid: '1.2',
    seriesUid: '1.2.3',
    instanceUid: longUid(),
    sopClassUid: '1.2.840.10008.5.1.4.1.1.2',
    transferSyntaxUid: explicitLittleEndian.uid,
  }));

type Retrieval = { count: number; isSent?: (index: number) => boolean; cancelsAt?: number };

/** The final answer of a retrieval, and the last pending answer before it. */
const answersOf = async (association: Association) => {
  for (let pending: object = {}; ;) {
    const message = await association.receive(30_000);
    if (message?.command.Status !== 0xff00) return { pending, last: message?.command, dataSet: message?.dataSet };
    pending = message.command;
  }
};

const listIn = async (dataSet: Message['dataSet']) =>
  dataSet && readIdentifier(await readWhole(dataSet, mostIdentifierBytes), context.transferSyntax)['00080058']?.Value;

/** Sends `count` instances. By default all fail. */
const retrieve = async ({ count, isSent = () => false, cancelsAt = Infinity }: Retrieval) => {
  const [ownSocket, peerSocket] = await bothEnds();
  const [ours, peerAssociation] = [associationOn(ownSocket), associationOn(peerSocket)];
  const instances = objects(count);
  let sent = 0;
  const sending = sendAll(ours, request, instances, {
    send: async () => (isSent(sent++) ? 'completed' : 'failed'),
    isCancelled: async () => sent >= cancelsAt,
  });
  const [{ pending, last, dataSet }] = await Promise.all([answersOf(peerAssociation), sending]);
  return { pending, last, listed: await listIn(dataSet), uids: instances.map(({ instanceUid }) => instanceUid) };
};

test('counts all failed instances, and lists as many of them as the DICOM element can hold', async () => {
  const { last, listed, uids } = await retrieve({ count: 1500, isSent: (index) => index === 0 });

  expect(last).toMatchObject({
    Status: 0xb000,
    NumberOfCompletedSuboperations: 1,
    NumberOfFailedSuboperations: 1499,
  });
  // The element can contain 65,534 bytes. Each UID takes 65 bytes, including its separator.
  expect(listed).toEqual(uids.slice(1, 1 + 1008));
});

test('lists and counts failed instances even when a retrieval is canceled', async () => {
  const { last, listed, uids } = await retrieve({ count: 1500, cancelsAt: 1200 });

  expect(last).toMatchObject({
    Status: 0xfe00,
    NumberOfRemainingSuboperations: 300,
    NumberOfFailedSuboperations: 1200,
  });
  expect(listed).toEqual(uids.slice(0, 1008));
});

test('caps a count at the largest number that its DICOM element can hold', async () => {
  const { pending, last } = await retrieve({ count: 66_000, isSent: () => true, cancelsAt: 400 });
  const full = await retrieve({ count: 65_600 });

  expect(pending).toMatchObject({ NumberOfRemainingSuboperations: 65_535, NumberOfCompletedSuboperations: 400 });
  expect(last).toMatchObject({ Status: 0xfe00, NumberOfRemainingSuboperations: 65_535 });
  expect(full.last).toMatchObject({ Status: 0xa702, NumberOfFailedSuboperations: 65_535 });
  expect(full.listed).toHaveLength(1008);
});

test('when the storage is unreachable, counts the sent instances and reports the rest as failed', async () => {
  const { last, listed, uids } = await retrieve({
    count: 5,
    isSent: (index) => {
      if (index === 2) throw new StorageUnavailable('ECONNREFUSED');
      return true;
    },
  });

  expect(last).toMatchObject({
    Status: 0xb000,
    NumberOfCompletedSuboperations: 2,
    NumberOfFailedSuboperations: 3,
    ErrorComment: expect.stringContaining('storage'),
  });
  expect(listed).toEqual(uids.slice(2));
});
