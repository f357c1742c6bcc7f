import { isUid } from '@radwork/dicom/uid';
import { readDataSets, readInstance, readSeries, readStudy } from './answered-json.ts';
import type { ArchiveClient } from './archive-client.ts';
import { studyQuery } from './dicomweb-keys.ts';
import { retrieveInstances } from './dicomweb-retrieve.ts';
import { type FoundStudy, RemoteError, type RemoteInstance, type RemoteSource } from './source.ts';

const dicomJson = 'application/dicom+json';
/** What is asked for at a time where an archive has many of something. */
const pageSize = 1000;
const mostInstances = 100_000;

/** An archive that speaks DICOMweb (PS3.18 §10). */
export const createDicomwebSource = (client: ArchiveClient, mostInstanceBytes: number): RemoteSource => {
  const ask = async (path: string, signal: AbortSignal) => {
    const answer = await client.json(`${client.qido}${path}`, { accept: dicomJson, signal });
    return readDataSets(answer?.value ?? []);
  };

  const seriesOf = async (study: string, signal: AbortSignal) => {
    const found = await ask(`/studies/${study}/series?includefield=NumberOfSeriesRelatedInstances`, signal);
    return found.flatMap((data) => readSeries(data) ?? []);
  };

  /** Archives cap how much they answer at once, whatever is asked for: the end is where nothing new comes. */
  const listAll = async (path: string, signal: AbortSignal, seriesUid?: string): Promise<RemoteInstance[]> => {
    const instances = new Map<string, RemoteInstance>();
    for (let offset = 0; offset < mostInstances;) {
      const page = await ask(`${path}/instances?limit=${pageSize}&offset=${offset}`, signal);
      for (const data of page) {
        const instance = readInstance(data, seriesUid);
        if (instance) instances.set(instance.sopInstanceUID, instance);
      }
      if (page.length === 0 || instances.size <= offset) return [...instances.values()];
      offset = instances.size;
    }
    throw new RemoteError('OTHER', `The archive lists more than ${mostInstances} instances for one study.`);
  };

  const listBySeries = async (study: string, signal: AbortSignal): Promise<RemoteInstance[]> => {
    const lists: RemoteInstance[][] = [];
    for (const { uid } of await seriesOf(study, signal)) {
      lists.push(await listAll(`/studies/${study}/series/${uid}`, signal, uid));
    }
    return lists.flat();
  };

  return {
    test: async (signal) => {
      const answer = await client.json(`${client.qido}/studies?limit=1`, { accept: dicomJson, signal });
      readDataSets(answer?.value ?? []);
      return (answer?.headers['server'] ?? '').slice(0, 100);
    },

    searchStudies: async (keys, most, signal) => {
      const found = await ask(`/studies?${studyQuery(keys, most + 1)}`, signal);
      const studies = new Map<string, FoundStudy>();
      for (const data of found) {
        const study = readStudy(data, client.wado);
        if (study && !studies.has(study.studyInstanceUID)) studies.set(study.studyInstanceUID, study);
      }
      return { studies: [...studies.values()].slice(0, most), hasMore: studies.size > most };
    },

    listInstances: async (studyInstanceUID, signal) => {
      assertUid(studyInstanceUID);
      const series = await seriesOf(studyInstanceUID, signal);
      const expected = series.reduce((sum, { instanceCount }) => sum + (instanceCount ?? 0), 0);
      const listed = await listAll(`/studies/${studyInstanceUID}`, signal).catch((error: unknown) => {
        // Searching the instances of a whole study is optional (PS3.18 Table 10.6.1-1); those of a series is not.
        if (error instanceof RemoteError && cannotSearchSo.has(error.remoteCause)) return [];
        throw error;
      });
      if (listed.length > 0 && listed.length >= expected) return listed;
      const bySeries = await listBySeries(studyInstanceUID, signal);
      return uniqueInstances([...listed, ...bySeries]);
    },

    retrieve: async function* (studyInstanceUID, wanted, signal) {
      assertUid(studyInstanceUID);
      const series = await seriesOf(studyInstanceUID, signal);
      const counts = new Map(series.map(({ uid, instanceCount }) => [uid, instanceCount]));
      yield* retrieveInstances(client, studyInstanceUID, wanted, { counts, mostInstanceBytes, signal });
    },
  };
};

const cannotSearchSo: ReadonlySet<string> = new Set(['NOT_FOUND', 'WRONG_SERVICE', 'SERVER_ERROR']);

const uniqueInstances = (instances: RemoteInstance[]): RemoteInstance[] => [
  ...new Map(instances.map((instance) => [instance.sopInstanceUID, instance])).values(),
];

/** Before it becomes part of an address. */
const assertUid = (uid: string) => {
  if (!isUid(uid)) throw new RemoteError('OTHER', 'The study has no valid Study Instance UID.');
};
