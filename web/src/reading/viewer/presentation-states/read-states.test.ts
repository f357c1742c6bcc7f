import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { answerBytes, serve, signIn } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { statesOfSeries, wholeState } from './read-states.ts';

const study = studyDetails();
const [series] = study.series;
if (!series) throw new Error('The study has no series');

const table = (uri: string) => ({
  '00283010': {
    vr: 'SQ',
    Value: [{ '00283002': { vr: 'US', Value: [0, 0, 16] }, '00283006': { vr: 'OW', BulkDataURI: uri } }],
  },
});
const stateWith = (uid: string, tables: number) => ({
  '00080016': { vr: 'UI', Value: ['1.2.840.10008.5.1.4.1.1.11.1'] },
  '00080018': { vr: 'UI', Value: [uid] },
  '00283110': {
    vr: 'SQ',
    Value: Array.from({ length: tables }, (_, at) => table(`/studies/x/bulkdata/${uid}/${at}`)),
  },
});

const longestTable = 131_072;
const bytesOf = (length: number) =>
  new Response(new Uint8Array(length), { headers: { 'content-length': String(length) } });

const archiveOf = async (headers: object[], reply: () => Response) => {
  signIn();
  const bulk = vi.fn<(path: string) => void>();
  const seriesPath = '/api/wado-rs/studies/:study/series/:series';
  serve(
    answerBytes(`${seriesPath}/metadata`, () => Response.json(headers)),
    answerBytes(`${seriesPath}/instances/:instance/bulkdata/:uid/:at`, ({ url }) => {
      bulk(url.pathname.slice(url.pathname.indexOf('/bulkdata/')));
      return reply();
    }),
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { states } = await client.fetchQuery(statesOfSeries(study, series));
  const [first] = states;
  if (!first) throw new Error('There is no state');
  return { bulk, states, whole: () => client.fetchQuery(wholeState(first)) };
};

test('the list of states loads no lookup tables, and a chosen state loads only its own', async () => {
  const { bulk, states, whole } = await archiveOf([stateWith('2.25.1', 2), stateWith('2.25.2', 2)], () =>
    bytesOf(longestTable),
  );

  expect(states).toHaveLength(2);
  expect(bulk).not.toHaveBeenCalled();
  const { grays, notApplied } = await whole();
  expect(bulk.mock.calls.flat()).toEqual(['/bulkdata/2.25.1/0', '/bulkdata/2.25.1/1']);
  expect(grays.voi).toHaveLength(2);
  expect(notApplied).toEqual([]);
});

test('a lookup table over the limit is not read, and a message names it', async () => {
  const read = vi.spyOn(Response.prototype, 'blob');
  const { whole } = await archiveOf([stateWith('2.25.1', 1)], () => bytesOf(longestTable + 2));

  const { grays, notApplied } = await whole();

  expect(grays.voi).toEqual([]);
  expect(notApplied).toEqual(['lookup table (too long)']);
  expect(read).not.toHaveBeenCalled();
});

test('a lookup table that does not arrive is named, and only some of very many are fetched', async () => {
  const gone = await archiveOf([stateWith('2.25.1', 1)], () => Response.json({}, { status: 404 }));
  expect((await gone.whole()).notApplied).toEqual(['lookup table (unreadable)']);

  const many = await archiveOf([stateWith('2.25.1', 500)], () => bytesOf(2 * 65_536));
  expect((await many.whole()).notApplied).toEqual(['lookup tables (too many)']);
  expect(many.bulk).toHaveBeenCalledTimes(64);
});
