import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { newUid } from '@radwork/dicom/uid';
import { explicitLittleEndian } from '@radwork/dicom/transfer-syntax';
import { afterAll, expect, test } from 'vitest';
import { storeInstances } from '#archive/store.ts';
import { createWado } from '#archive/wado.ts';
import { systemSession } from '#core/scope.ts';
import { image } from '#test/upload.ts';
import { createWorld } from '#test/world.ts';
import { createAssociation } from './association.ts';
import { openConnection } from './connection.ts';
import { sendObject } from './send-objects.ts';

const ctImageStorage = '1.2.840.10008.5.1.4.1.1.2';

const world = await createWorld();
const wado = createWado(world.context);
afterAll(wado.renderer.close);

/** An association with somebody who has hung up. */
const brokenOff = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const there = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
  const [here]: Socket[] = await once(server, 'connection');
  server.close();
  if (!here) throw new Error('Nobody has connected');
  const context = { id: 1, abstractSyntax: ctImageStorage, transferSyntax: explicitLittleEndian.uid };
  const terms = { contexts: new Map([[1, context]]), mostBytesThere: 0, mostBytesHere: 1 << 20 };
  const association = createAssociation(openConnection(here), terms);
  there.destroy();
  here.destroy();
  return association;
};

test('a file that was opened for somebody who has hung up is closed', async () => {
  const tenant = await world.newTenant();
  const uids = { studyUid: newUid(), seriesUid: newUid(), instanceUid: newUid() };
  const { name, bytes } = image({
    StudyInstanceUID: uids.studyUid,
    SeriesInstanceUID: uids.seriesUid,
    SOPInstanceUID: uids.instanceUid,
    // Longer than what is read before anything is sent.
    Rows: 2000,
    Columns: 2000,
  });
  const upload = { name, body: Readable.from([bytes]) };
  const { refused } = await storeInstances(world.context, systemSession(tenant.id), [upload]);
  expect(refused).toEqual([]);
  const opened: Readable[] = [];
  const blobs: typeof wado.blobs = {
    ...wado.blobs,
    stream: (...place) => {
      const file = wado.blobs.stream(...place);
      opened.push(file);
      return file;
    },
  };
  const errors: unknown[] = [];

  const sending = sendObject(
    {
      association: await brokenOff(),
      wado: { ...wado, blobs },
      session: { ...systemSession(tenant.id), userType: 'RADIOLOGIST' },
      onError: (error) => errors.push(error),
    },
    { ...uids, sopClassUid: ctImageStorage, transferSyntaxUid: explicitLittleEndian.uid },
  );

  await expect(sending).rejects.toMatchObject({ name: 'ConnectionLost' });
  expect(errors).toEqual([]);
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true]);
});
