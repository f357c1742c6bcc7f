import type { DicomJson } from '@radwork/dicom/dataset';
import { inTurns, readDataSets, readInstance, readSeries, type SeriesFound } from './answered-json.ts';
import type { ArchiveClient } from './archive-client.ts';
import { RemoteError, type RemoteInstance, type RemoteListing } from './source.ts';

/** What is asked for at a time where an archive has many of something. */
const pageSize = 1000;
/** No study is that large; an archive that goes on like this does so for ever. */
const mostListed = 100_000;

/** The searches of QIDO-RS (PS3.18 §10.6) that list what a study consists of. */
export const createLists = (client: ArchiveClient) => {
  const ask = async (path: string, signal: AbortSignal) => {
    const answer = await client.json(`${client.qido}${path}`, { accept: 'application/dicom+json', signal });
    return { found: await readDataSets(answer?.value ?? []), headers: answer?.headers ?? {} };
  };

  /**
   * All items of a list, by their UIDs. Archives cap how much they answer at once, whatever is asked for: the end is where
   * nothing new comes. Of the data sets only what `read` takes out of them is kept.
   */
  const askAll = async <T>(
    path: string,
    { read, uidOf }: { read: (data: DicomJson) => T | undefined; uidOf: (item: T) => string },
    signal: AbortSignal,
  ): Promise<T[]> => {
    const byUid = new Map<string, T>();
    for (let offset = 0; offset < mostListed; offset = byUid.size) {
      const { found } = await ask(`${path}limit=${pageSize}&offset=${offset}`, signal);
      for await (const data of inTurns(found)) {
        const item = read(data);
        if (item) byUid.set(uidOf(item), item);
      }
      if (byUid.size <= offset) return [...byUid.values()];
    }
    throw tooMany();
  };

  const seriesOf = (study: string, signal: AbortSignal): Promise<SeriesFound[]> => {
    const path = `/studies/${study}/series?includefield=NumberOfSeriesRelatedInstances&`;
    return askAll(path, { read: readSeries, uidOf: ({ uid }) => uid }, signal);
  };

  const instancesIn = (path: string, signal: AbortSignal, series?: string): Promise<RemoteInstance[]> => {
    const read = (data: DicomJson) => readInstance(data, series);
    return askAll(`${path}/instances?`, { read, uidOf: ({ sopInstanceUID }) => sopInstanceUID }, signal);
  };

  /** Searching the instances of a whole study at once is more than many archives can do (PS3.18 §10.6). */
  const instancesOfStudy = async (study: string, signal: AbortSignal): Promise<RemoteInstance[]> => {
    try {
      return await instancesIn(`/studies/${study}`, signal);
    } catch (error) {
      if (error instanceof RemoteError && meansNotSo.has(error.remoteCause)) return [];
      throw error;
    }
  };

  /** All instances that the archive admits to in one way or the other. */
  const instancesOf = async (study: string, signal: AbortSignal): Promise<RemoteListing> => {
    const series = await seriesOf(study, signal);
    const promised = series.reduce((sum, { instanceCount }) => sum + (instanceCount ?? 0), 0);
    const listed = await instancesOfStudy(study, signal);
    if (listed.length > 0 && listed.length >= promised) return { instances: listed, promised };
    const byUid = new Map(listed.map((instance) => [instance.sopInstanceUID, instance]));
    for (const { uid } of series) {
      const more = await instancesIn(`/studies/${study}/series/${uid}`, signal, uid);
      for (const instance of more) byUid.set(instance.sopInstanceUID, instance);
      if (byUid.size > mostListed) throw tooMany();
    }
    return { instances: [...byUid.values()], promised };
  };

  return { ask, seriesOf, instancesOf };
};

const tooMany = () => new RemoteError('OTHER', `The archive lists more than ${mostListed} items for one study.`);

const meansNotSo: ReadonlySet<string> = new Set(['NOT_FOUND', 'WRONG_SERVICE', 'SERVER_ERROR']);
