import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { newUid } from '@radwork/dicom/uid';
import { explicitLittleEndian } from '@radwork/dicom/transfer-syntax';
import { afterAll, expect, test } from 'vitest';
import { storeInstances } from '#imaging/archive/store/store-instances.ts';
import { createWado } from '#imaging/archive/dicomweb/wado-context.ts';
import { StorageUnavailable } from '#core/blobs/blob-store.ts';
import { systemSession } from '#core/access/scope.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';
import { createAssociation } from './association.ts';
import { openConnection } from './connection.ts';
import { sendObject } from './send-instances.ts';

const ctImageStorage = '1.2.840.10008.5.1.4.1.1.2';

const world = await createWorld();
const wado = createWado(world.context);
afterAll(wado.renderer.close);

/** An association whose other side has disconnected. */
const lostAssociation = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const peerSocket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
  const [ownSocket]: Socket[] = await once(server, 'connection');
  server.close();
  if (!ownSocket) throw new Error('Nobody has connected');
  const context = { id: 1, abstractSyntax: ctImageStorage, transferSyntax: explicitLittleEndian.uid };
  const terms = { contexts: new Map([[1, context]]), mostBytesThere: 0, mostBytesHere: 1 << 20 };
  const association = createAssociation(openConnection(ownSocket), terms);
  peerSocket.destroy();
  ownSocket.destroy();
  return association;
};

type Stream = typeof wado.blobs.stream;

/** Sends an instance to a disconnected device. `stream` replaces the function that reads files from the store. */
const send = async (stream: Stream, onError: (error: unknown) => void): ReturnType<typeof sendObject> => {
  const tenant = await world.newTenant();
  const uids = { studyUid: newUid(), seriesUid: newUid(), instanceUid: newUid() };
  const { name, bytes } = image({
    StudyInstanceUID: uids.studyUid,
    SeriesInstanceUID: uids.seriesUid,
    SOPInstanceUID: uids.instanceUid,
    // The image is larger than the part that is read before sending starts.
    Rows: 2000,
    Columns: 2000,
  });
  const session = systemSession(tenant.id);
  const upload = { name, body: Readable.from([bytes]) };
  const { refused } = await storeInstances(world.context, session, [upload]);
  expect(refused).toEqual([]);
  return sendObject(
    {
      association: await lostAssociation(),
      wado: { ...wado, blobs: { ...wado.blobs, stream } },
      session: { ...session, userType: 'RADIOLOGIST' },
      onError,
    },
    { ...uids, sopClassUid: ctImageStorage, transferSyntaxUid: explicitLittleEndian.uid },
  );
};

test('closes the file of an instance when the receiver has disconnected', async () => {
  const opened: Readable[] = [];
  const errors: unknown[] = [];

  const sending = send(
    (...place) => {
      const file = wado.blobs.stream(...place);
      opened.push(file);
      return file;
    },
    (error) => errors.push(error),
  );

  await expect(sending).rejects.toMatchObject({ name: 'ConnectionLost' });
  expect(errors).toEqual([]);
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true]);
});

test('when the storage is unreachable, the whole retrieval fails, not a single instance', async () => {
  const away = new StorageUnavailable('ECONNREFUSED');
  const errors: unknown[] = [];

  const sending = send(
    () => new Readable().destroy(away),
    (error) => errors.push(error),
  );

  await expect(sending).rejects.toBe(away);
  expect(errors).toEqual([away]);
});
