import { expect, test } from 'vitest';
import { bothEnds } from '#test/socket-pair.ts';
import { openConnection } from './connection.ts';
import { pduType, writePdu } from './pdu.ts';

/** Our connection, and the socket of the other side. */
const connected = async () => {
  const [ownSocket, peerSocket] = await bothEnds();
  return { connection: openConnection(ownSocket), there: peerSocket };
};

const unit = writePdu(pduType.associateRequest, Buffer.alloc(100, 7));

test('times out when a PDU begins in time but its rest does not arrive in time', async () => {
  const { connection, there: peerSocket } = await connected();

  peerSocket.write(unit.subarray(0, 6));
  const reading = connection.readWithin(1000, 100);

  await expect(reading).rejects.toMatchObject({ name: 'TimedOut' });
});

test('reads a PDU that arrives slowly but in time', async () => {
  const { connection, there: peerSocket } = await connected();

  peerSocket.write(unit.subarray(0, 6));
  setTimeout(() => peerSocket.write(unit.subarray(6)), 50);

  expect(await connection.readWithin(1000, 5000)).toEqual({ type: 1, body: Buffer.alloc(100, 7) });
});
