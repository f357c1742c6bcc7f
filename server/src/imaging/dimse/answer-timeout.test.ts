import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { explicitLittleEndian } from '@radwork/dicom/transfer-syntax';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { startSocketServer } from '#test/socket-pair.ts';
import { type Association, type Context, createAssociation } from './association.ts';
import { commandField, responseTo } from './command-set.ts';
import { openConnection } from './connection.ts';
import { find } from './find-scu.ts';
import { getInstances } from './get-scu.ts';
import { writeIdentifier } from './identifier.ts';
import { moveInstances } from './move-scu.ts';
import { mostBytesHere, ownUserInformation } from './negotiation.ts';
import { contextOf, inAssociation } from './open-association.ts';
import {
  contextResult,
  mostAssociateBytes,
  readAssociateRequest,
  writeAssociateAccept,
  writeReleaseResponse,
} from './pdu.ts';
import { studyRoot } from './sop-classes.ts';

const ctImageStorage = '1.2.840.10008.5.1.4.1.1.2';
const transferSyntax = explicitLittleEndian.uid;
const noSignal = new AbortController().signal;

/**
 * Milliseconds without a wanted instance after which the tests of a stalled archive give up. The archive in these tests
 * keeps sending other answers for longer.
 */
const longestLull = 600;
const step = 20;
const manySteps = 100;

/**
 * Milliseconds without a wanted instance after which the tests of an archive that makes progress give up. Long enough
 * for a busy machine.
 */
const generousLull = 2000;
const longStep = 60;
const longSteps = 40;

const steps = async (count: number, does: (index: number) => Promise<void>, each = step): Promise<void> => {
  for (let index = 0; index < count; index += 1) {
    await pause(each);
    await does(index);
  }
};

type Archive = {
  /** Sends a response to the received request. */
  answer: (status: number, more?: object, identifier?: Buffer) => Promise<void>;
  /** Sends an instance and waits for the response. */
  store: (uid: string, dataSet?: Buffer | AsyncIterable<Buffer>) => Promise<void>;
};

const serve = async (socket: Socket, does: (archive: Archive) => Promise<void>): Promise<void> => {
  const connection = openConnection(socket);
  const { body } = await connection.read(mostAssociateBytes, 5000);
  const { contexts, ...titles } = readAssociateRequest(body);
  const answers = contexts.map(({ id }) => ({ id, result: contextResult.accepted, transferSyntax }));
  await connection.write(writeAssociateAccept({ ...titles, contexts: answers, user: ownUserInformation }));
  const agreed = contexts.map(({ id, abstractSyntax }): [number, Context] => [
    id,
    { id, abstractSyntax, transferSyntax },
  ]);
  const association = createAssociation(connection, { contexts: new Map(agreed), mostBytesThere: 0, mostBytesHere });
  const message = await association.receive(5000);
  if (!message) throw new Error('Nothing was asked for');
  await message.dataSet?.drain(1 << 20);
  const storage = contextOf(association, ctImageStorage);
  await does({
    answer: (Status, more = {}, identifier) =>
      association.send(
        message.context,
        { CommandField: responseTo(message.command.CommandField), Status, ...more },
        identifier,
      ),
    store: async (AffectedSOPInstanceUID, dataSet = Buffer.alloc(100)) => {
      const command = { CommandField: commandField.store, MessageID: 1, AffectedSOPInstanceUID };
      if (storage) await association.send(storage, { ...command, AffectedSOPClassUID: ctImageStorage }, dataSet);
      await association.receive(5000);
    },
  });
  // The side that requested the association releases it.
  if (!(await association.receive(5000))) connection.end(writeReleaseResponse());
};

/** Runs work in an association with an archive that answers requests with this function. */
const withArchive = async <T>(
  does: (archive: Archive) => Promise<void>,
  work: (association: Association) => Promise<T>,
): Promise<T> => {
  const port = await startSocketServer((socket) => {
    // The test may close the connection while the archive still sends.
    serve(socket, does).catch(() => {});
  });
  const peer = { host: '127.0.0.1', port, calledAeTitle: 'OTHER', callingAeTitle: 'US' };
  const services = [studyRoot.find, studyRoot.get, studyRoot.move, ctImageStorage];
  const contexts = services.map((abstractSyntax) => ({ abstractSyntax, transferSyntaxes: [transferSyntax] }));
  return inAssociation(peer, async (host) => ({ address: host }), { contexts }, noSignal, work);
};

const contextIn = (association: Association, service: string): Context => {
  const context = contextOf(association, service);
  if (!context) throw new Error('The archive offers everything');
  return context;
};

const request = { QueryRetrieveLevel: 'SERIES' };

/**
 * Receives instances by C-GET and returns their names. `storesWithin`: milliseconds that storing one piece of an
 * instance takes.
 */
const get = (
  requested: string[],
  does: (archive: Archive) => Promise<void>,
  { lull = longestLull, storesWithin = 0 } = {},
): Promise<string[]> =>
  withArchive(does, async (association) => {
    const getting = {
      context: contextIn(association, studyRoot.get),
      remoteName: 'OTHER',
      title: 'OTHER',
      requested: new Set(requested),
      mostInstanceBytes: 1 << 20,
      idleTimeoutMs: lull,
    };
    const names: string[] = [];
    for await (const { name, body } of getInstances(association, request, getting)) {
      for await (const chunk of body) if (chunk.length > 0) await pause(storesWithin);
      names.push(name);
    }
    return names;
  });

const move = (does: (archive: Archive) => Promise<void>, lull = longestLull): Promise<number | undefined> =>
  withArchive(does, (association) =>
    moveInstances(association, request, {
      context: contextIn(association, studyRoot.move),
      remoteName: 'OTHER',
      destination: 'US',
      idleTimeoutMs: lull,
    }),
  );

const tooLong = { name: 'RemoteError', remoteCause: 'TIMEOUT', message: expect.stringContaining('makes no progress') };

async function* inDribbles(chunk: Buffer): AsyncGenerator<Buffer> {
  for (let index = 0; index < manySteps; index += 1) {
    await pause(step);
    yield chunk;
  }
}

test.each<[string, (archive: Archive) => Promise<void>]>([
  ['reports pending again and again but sends nothing', ({ answer }) => steps(manySteps, () => answer(0xff00))],
  ['sends only instances that were not requested', ({ store }) => steps(manySteps, () => store(newUid()))],
  [
    'sends an instance that was not requested, a few bytes at a time',
    ({ store }) => store(newUid(), inDribbles(Buffer.alloc(2))),
  ],
  ['sends a requested instance in empty pieces', ({ store }) => store('1.2.3', inDribbles(Buffer.alloc(0)))],
])('gives up C-GET from an archive that %s', async (_, does) => {
  const getting = get(['1.2.3'], async (archive) => {
    await does(archive);
    await archive.answer(0);
  });

  await expect(getting).rejects.toMatchObject(tooLong);
});

test('C-GET continues while requested instances arrive, and while they are stored', async () => {
  const requested = Array.from({ length: longSteps }, newUid);
  const many = await get(
    requested,
    async ({ answer, store }) => {
      await steps(requested.length, (index) => store(requested[index] ?? ''), longStep);
      await answer(0);
    },
    { lull: generousLull },
  );
  const storedSlowly = await get(
    ['1.2.3'],
    async ({ answer, store }) => {
      await store('1.2.3');
      await answer(0);
    },
    { lull: generousLull, storesWithin: generousLull + step },
  );

  expect(many).toEqual(requested);
  expect(storedSlowly).toEqual(['1.2.3']);
});

test('gives up C-MOVE from an archive that reports no progress', async () => {
  const counts = { NumberOfRemainingSuboperations: 7, NumberOfCompletedSuboperations: 3 };
  const moving = move(async ({ answer }) => {
    await steps(manySteps, (index) => answer(0xff00, index % 2 === 0 ? counts : {}));
    await answer(0);
  });

  await expect(moving).rejects.toMatchObject(tooLong);
});

test.each<[string, (index: number) => object]>([
  ['remains', (index) => ({ NumberOfRemainingSuboperations: longSteps - index })],
  ['is done', (index) => ({ NumberOfCompletedSuboperations: index })],
  [
    'has failed',
    (index) => ({ NumberOfRemainingSuboperations: longSteps - index, NumberOfFailedSuboperations: index }),
  ],
])('C-MOVE continues while an archive keeps changing the number of instances of which it %s', async (_, counts) => {
  const moving = move(async ({ answer }) => {
    await steps(longSteps, (index) => answer(0xff00, counts(index)), longStep);
    await answer(0);
  }, generousLull);

  await expect(moving).resolves.toBeUndefined();
});

test('ends a query whose answers are empty or arrive very slowly', async () => {
  const little = writeIdentifier({ PatientID: 'P-1' }, transferSyntax);

  for (const identifier of [undefined, little]) {
    const finding = withArchive(
      async ({ answer }) => {
        await steps(manySteps, () => answer(0xff00, {}, identifier));
        await answer(0);
      },
      (association) => find(association, 'OTHER', request, 1000, { total: longestLull, stopping: 0 }),
    );

    await expect(finding).rejects.toMatchObject(tooLong);
  }
});

test('disconnects from an archive that continues to send after a cancel', async () => {
  const identifier = writeIdentifier({ PatientID: 'P-1' }, transferSyntax);
  const finding = withArchive(
    ({ answer }) => steps(manySteps, () => answer(0xff00, {}, identifier)),
    (association) => find(association, 'OTHER', request, 1, { total: 60_000, stopping: longestLull }),
  );

  await expect(finding).resolves.toMatchObject({ matches: [{}], hasMore: true });
});
