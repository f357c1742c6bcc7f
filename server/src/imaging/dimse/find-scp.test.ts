import { Readable } from 'node:stream';
import type { Elements } from '@radwork/dicom/part10';
import { expect, test } from 'vitest';
import { limitSearches } from '#imaging/archive/search/search-turns.ts';
import { Problem } from '#core/http/problem.ts';
import { ignoresKeys, queryingSession } from './archive-queries.ts';
import type { Association, Context } from './association.ts';
import type { CommandSet } from './command-set.ts';
import type { Device } from './devices.ts';
import { answerFind } from './find-scp.ts';
import { writeIdentifier } from './identifier.ts';
import { archiveSearch, type QueryRetrieve } from './query-retrieve-scp.ts';
import { studyRoot } from './sop-classes.ts';

const context: Context = { id: 1, abstractSyntax: studyRoot.find, transferSyntax: '1.2.840.10008.1.2.1' };

/** Answers a query whose search is done by `find`. Returns the sent answers and the reported errors. */
const answersTo = async (find: () => Promise<Elements[]>, identifier: Elements = {}) => {
  const sent: Partial<CommandSet>[] = [];
  const errors: unknown[] = [];
  const association = {
    send: async (_: Context, command: CommandSet) => void sent.push(command),
    isCancelled: async () => false,
  } as unknown as Association;
  const message = {
    context,
    command: { CommandField: 0x0020, MessageID: 7, hasDataSet: true },
    dataSet: Object.assign(Readable.from([writeIdentifier(identifier, context.transferSyntax)]), {
      drain: async () => {},
    }),
  };
  await answerFind(association, message, { find, ignoresKeys, most: 10, onError: (error) => errors.push(error) });
  return { sent, errors };
};

test.each<[how: string, keys: Elements, status: number]>([
  ['that is used', { PatientID: 'P-1', StationName: [] }, 0xff00],
  ['that the server does not support', { PatientID: 'P-1', StationName: 'CT2' }, 0xff01],
  ['of the series level in a search for studies', { SeriesDescription: 'Lung*' }, 0xff01],
])('the status of a match says whether the server used all keys: a key %s', async (_, keys, status) => {
  const { sent } = await answersTo(async () => [{ PatientID: 'P-1' }], { QueryRetrieveLevel: 'STUDY', ...keys });

  expect(sent.map(({ Status }) => Status)).toEqual([status, 0x0000]);
});

test('if a search takes too long, the answer asks to narrow the search and does not call the identifier invalid', async () => {
  const { sent, errors } = await answersTo(async () => {
    throw new Problem(413, 'search.too_broad', 'The search took too long. Narrow it.');
  });

  expect(sent).toMatchObject([{ Status: 0xa700, ErrorComment: 'The search took too long. Narrow the query.' }]);
  expect(errors).toEqual([]);
});

test('the response to an invalid identifier contains the reason', async () => {
  const { sent } = await answersTo(async () => {
    throw new Problem(400, 'malformed', 'StudyDate is not a date');
  });

  expect(sent).toMatchObject([{ Status: 0xa900, ErrorComment: 'StudyDate is not a date' }]);
});

test('if too many searches wait, the answer asks to retry later and does not call the identifier invalid', async () => {
  const device: Device = {
    id: 'd1',
    tenantId: 1,
    calledAeTitle: 'RADWORK',
    callingAeTitle: 'WS',
    address: '127.0.0.1',
    mayStore: false,
    mayReadWorklist: false,
    mayQuery: true,
    groupId: null,
  };
  const ended = Promise.withResolvers<void>();
  const waiting = Array.from({ length: 32 }, () => limitSearches(queryingSession(device), () => ended.promise));
  // The search is refused before it uses the other fields of the service.
  const search = archiveSearch({ device } as QueryRetrieve);

  const { sent, errors } = await answersTo(() => search({}, 10));
  ended.resolve();
  await Promise.all(waiting);

  expect(sent).toMatchObject([
    { Status: 0xa700, ErrorComment: 'Too many searches at once. Try again in a few seconds.' },
  ]);
  expect(errors).toEqual([]);
});
