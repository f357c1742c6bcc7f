import type { Socket } from 'node:net';
import { textOf } from '@radwork/dicom/dataset';
import type { Elements } from '@radwork/dicom/part10';
import { explicitLittleEndian } from '@radwork/dicom/transfer-syntax';
import { expect, test } from 'vitest';
import { startSocketServer } from '#test/socket-pair.ts';
import { type Context, createAssociation } from '#imaging/dimse/association.ts';
import { openConnection } from '#imaging/dimse/connection.ts';
import { createDimseSource } from './dimse-source.ts';
import { answerFind } from '#imaging/dimse/find-scp.ts';
import { mostBytesHere, ownUserInformation } from '#imaging/dimse/negotiation.ts';
import {
  contextResult,
  mostAssociateBytes,
  readAssociateRequest,
  writeAssociateAccept,
  writeReleaseResponse,
} from '#imaging/dimse/pdu.ts';
import { readRemoteAddress } from '#imaging/dimse/remote-address.ts';

const transferSyntax = explicitLittleEndian.uid;

/** Matches of an archive at each level of a study. */
type ArchiveMatches = { STUDY: Elements[]; SERIES: Elements[]; IMAGE: Record<string, Elements[]> };

const serve = async (socket: Socket, matches: ArchiveMatches): Promise<void> => {
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
  for (let request = await association.receive(5000); request; request = await association.receive(5000)) {
    await answerFind(association, request, {
      find: async (identifier) => {
        const level = textOf(identifier, 'QueryRetrieveLevel');
        if (level === 'IMAGE') return matches.IMAGE[textOf(identifier, 'SeriesInstanceUID') ?? ''] ?? [];
        return level === 'SERIES' ? matches.SERIES : matches.STUDY;
      },
      ignoresKeys: () => false,
      most: 1000,
      onError: () => {},
    });
  }
  connection.end(writeReleaseResponse());
};

/** Lists the study 1.2.3 of an archive that returns these matches. */
const listAt = async (matches: ArchiveMatches) => {
  const port = await startSocketServer((socket) => void serve(socket, matches).catch(() => socket.destroy()));
  const source = createDimseSource({
    peer: readRemoteAddress({ baseUrl: `dicom://127.0.0.1:${port}/US`, aeTitle: 'OTHER' }),
    locate: async (host) => ({ address: host }),
    mostInstanceBytes: 1 << 20,
    arrivals: undefined,
  });
  const { instances, promised, omission } = await source.listInstances('1.2.3', new AbortController().signal);
  return { listed: instances.length, promised, omission };
};

const images = (series: string, count: number): Elements[] =>
  Array.from({ length: count }, (_, index) => ({ SOPInstanceUID: `${series}.${index}` }));

test('detects a truncated list by the instance counts of the study and of its series', async () => {
  const cut = { STUDY: [], SERIES: [{ SeriesInstanceUID: '1.1' }], IMAGE: { '1.1': images('1.1', 100) } };
  const ofStudy = { StudyInstanceUID: '1.2.3', NumberOfStudyRelatedInstances: '300' };
  const ofOther = { StudyInstanceUID: '1.2.4', NumberOfStudyRelatedInstances: '900' };

  expect(await listAt(cut)).toEqual({ listed: 100, promised: 100, omission: '' });
  expect(await listAt({ ...cut, STUDY: [ofOther, ofStudy] })).toMatchObject({ listed: 100, promised: 300 });
  expect(
    await listAt({ ...cut, SERIES: [{ SeriesInstanceUID: '1.1', NumberOfSeriesRelatedInstances: '150' }] }),
  ).toMatchObject({ listed: 100, promised: 150 });
});

test('reports invalid UIDs, and a series without instances, as missing', async () => {
  const listing = await listAt({
    STUDY: [],
    SERIES: [{ SeriesInstanceUID: '1.1' }, { SeriesInstanceUID: '1.2' }],
    IMAGE: { '1.1': [...images('1.1', 2), { SOPInstanceUID: '1.1.x' }] },
  });

  expect(listing).toEqual({
    listed: 2,
    promised: 3,
    omission: 'The archive lists items with invalid UIDs. They cannot be requested.',
  });
});
