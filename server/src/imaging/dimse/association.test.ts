import { once } from 'node:events';
import { implicitLittleEndian } from '@radwork/dicom/transfer-syntax';
import { expect, test } from 'vitest';
import { bothEnds } from '#test/socket-pair.ts';
import { createAssociation, readWhole } from './association.ts';
import { commandField, writeCommandSet } from './command-set.ts';
import { openConnection } from './connection.ts';
import { pduType, writeData, writePdu } from './pdu.ts';
import { studyRoot } from './sop-classes.ts';

const context = { id: 1, abstractSyntax: studyRoot.find, transferSyntax: implicitLittleEndian.uid };

/** Returns an association whose other side has sent these data units and closed the connection. */
const associationFrom = async (...units: Buffer[]) => {
  const [ownSocket, peerSocket] = await bothEnds();
  const terms = { contexts: new Map([[1, context]]), mostBytesThere: 0, mostBytesHere: 1 << 20 };
  peerSocket.end(Buffer.concat(units));
  await once(peerSocket, 'finish');
  return createAssociation(openConnection(ownSocket), terms);
};

/** Returns one data unit with `count` pieces. No piece is marked as the last. */
const manyPieces = (count: number, bytes: Buffer, isCommand = true): Buffer => {
  const fragment = writeData({ contextId: 1, isCommand, isLast: false, bytes }).subarray(6);
  return writePdu(pduType.data, Buffer.concat(Array.from({ length: count }, () => fragment)));
};

const query = writeData({
  contextId: 1,
  isCommand: true,
  isLast: true,
  bytes: writeCommandSet({ CommandField: commandField.find, MessageID: 1, hasDataSet: true }),
});

test('rejects an empty fragment that is not the last fragment', async () => {
  const association = await associationFrom(manyPieces(1, Buffer.alloc(0)));

  await expect(association.receive(5000)).rejects.toThrow('A message fragment is empty');
});

test('rejects a command in thousands of fragments', async () => {
  const association = await associationFrom(manyPieces(5000, Buffer.alloc(1)));

  await expect(association.receive(5000)).rejects.toThrow('The command is too long');
});

test('rejects an identifier in thousands of fragments, but reads one with an empty last fragment', async () => {
  const last = writeData({ contextId: 1, isCommand: false, isLast: true, bytes: Buffer.alloc(0) });
  const read = async (...units: Buffer[]) => {
    const message = await (await associationFrom(query, ...units)).receive(5000);
    return message?.dataSet && readWhole(message.dataSet, 1 << 20);
  };

  expect(await read(manyPieces(2000, Buffer.from('a'), false), last)).toEqual(Buffer.alloc(2000, 'a'));
  await expect(read(manyPieces(5000, Buffer.from('a'), false))).rejects.toThrow('The identifier is too long');
});

test('sends no PDU longer than the peer accepts, and rejects a length limit below the minimum', async () => {
  const [ownSocket, peerSocket] = await bothEnds();
  const announcing = (mostBytesThere: number) =>
    createAssociation(openConnection(ownSocket), {
      contexts: new Map([[1, context]]),
      mostBytesThere,
      mostBytesHere: 1,
    });

  const payload = Buffer.alloc(1000, 'a');
  await announcing(200).send(context, { CommandField: commandField.find, MessageID: 1 }, payload);
  ownSocket.end();
  const sent = Buffer.concat(await peerSocket.toArray());
  const lengths: number[] = [];
  for (let at = 0; at < sent.length; at += 6 + sent.readUInt32BE(at + 2)) lengths.push(sent.readUInt32BE(at + 2));

  expect(Math.max(...lengths)).toBe(200);
  expect(() => announcing(20)).toThrow('The other side accepts only tiny messages');
});
