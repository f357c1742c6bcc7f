import { t } from '@radwork/contract/core/translate';
import { yieldingEventLoop, readDataSets } from './read-qido-json.ts';
import type { ArchiveClient } from './archive-client.ts';
import {
  type Entries,
  gatherEntries,
  instanceLevel,
  type Level,
  seriesLevel,
  toListing,
  joinEntries,
} from './remote-listing.ts';
import { RemoteError, type RemoteInstance, type RemoteListing } from './remote-source.ts';

/** Entries requested per page. */
const pageSize = 1000;
/** Maximum number of entries, more than any study has. The limit stops an archive whose answers never end. */
const mostListed = 100_000;

/** Creates the QIDO-RS searches (PS3.18 §10.6) that list the contents of a study. */
export const createLists = (client: ArchiveClient) => {
  const ask = async (path: string, signal: AbortSignal) => {
    const answer = await client.json(`${client.qido}${path}`, { accept: 'application/dicom+json', signal });
    const headers = answer?.headers ?? {};
    // Warning 299 means that the archive left out results (PS3.18 §8.3.4.4).
    const isCut = (headers['warning'] ?? '').startsWith('299');
    return { found: await readDataSets(answer?.value ?? []), headers, isCut };
  };

  /** Returns all entries of a list. Archives may shorten any answer, so the list ends at a page without new entries. */
  const askAll = async <T>(path: string, level: Level<T>, signal: AbortSignal): Promise<Entries<T>> => {
    const gathered = gatherEntries(level);
    let wasCut = false;
    for (let offset = 0; offset < mostListed; offset = gathered.size()) {
      const { found, isCut } = await ask(`${path}limit=${pageSize}&offset=${offset}`, signal);
      for await (const data of yieldingEventLoop(found)) gathered.add(data);
      // An archive may report every page except the last as incomplete, only because more pages follow. So only the
      // last page counts.
      if (gathered.size() <= offset) return gathered.entries({ isCut: isCut || wasCut });
      wasCut = isCut;
    }
    throw tooMany();
  };

  const seriesOf = (study: string, signal: AbortSignal) =>
    askAll(`/studies/${study}/series?includefield=NumberOfSeriesRelatedInstances&`, seriesLevel, signal);

  const instancesIn = (path: string, signal: AbortSignal, series?: string) =>
    askAll(`${path}/instances?`, instanceLevel(series), signal);

  /**
   * Returns the number of instances of each wanted series: the archive's count, or else the length of its list.
   * Requests the list only if more than one instance is wanted. Leaves out series with neither.
   */
  const sizesOf = async (study: string, instances: readonly RemoteInstance[], signal: AbortSignal) => {
    const { items } = await seriesOf(study, signal);
    const sizes = new Map(
      items.flatMap(({ uid, instanceCount }) => (instanceCount === null ? [] : [[uid, instanceCount] as const])),
    );
    for (const [uid, { length }] of Map.groupBy(instances, ({ seriesInstanceUID }) => seriesInstanceUID)) {
      if (length === 1 || sizes.has(uid)) continue;
      const seriesInstances = await orNotSo(instancesIn(`/studies/${study}/series/${uid}`, signal, uid));
      if (!(seriesInstances instanceof RemoteError)) sizes.set(uid, seriesInstances.items.length);
    }
    return sizes;
  };

  /** Returns all instances that the archive names in its lists. */
  const instancesOf = async (study: string, signal: AbortSignal): Promise<RemoteListing> => {
    const series = await seriesOf(study, signal);
    // Many archives cannot search all instances of a study at once (PS3.18 §10.6).
    const answered = await orNotSo(instancesIn(`/studies/${study}`, signal));
    const atOnce = answered instanceof RemoteError ? nothing : answered;
    const areCounted = series.items.every(({ instanceCount }) => instanceCount !== null);
    if (areCounted && isWhole(atOnce, toListing(series, atOnce))) return toListing(series, atOnce);
    const byUid = new Map(atOnce.items.map((instance) => [instance.sopInstanceUID, instance]));
    const lists: Entries<RemoteInstance>[] = [];
    for (const { uid } of series.items) {
      const list = await instancesIn(`/studies/${study}/series/${uid}`, signal, uid);
      for (const instance of list.items) byUid.set(instance.sopInstanceUID, instance);
      if (byUid.size > mostListed) throw tooMany();
      lists.push({ ...list, items: [] });
    }
    // The error may be temporary, so the study is not reported as empty.
    if (byUid.size === 0 && answered instanceof RemoteError && answered.remoteCause === 'SERVER_ERROR') throw answered;
    // If each series was listed, gaps in the list of the whole study do not matter.
    const { lost, isCut } = lists.length > 0 ? joinEntries(lists) : atOnce;
    return toListing(series, { items: [...byUid.values()], lost, isCut });
  };

  return { ask, sizesOf, instancesOf };
};

const nothing: Entries<RemoteInstance> = { items: [], lost: 0, isCut: false };

const isWhole = ({ items, lost, isCut }: Entries<RemoteInstance>, { promised }: RemoteListing): boolean =>
  items.length > 0 && items.length === promised && lost === 0 && !isCut;

const tooMany = () => new RemoteError('OTHER', t`The archive lists more than ${mostListed} items for one study.`);

const meansNotSo: ReadonlySet<string> = new Set(['NOT_FOUND', 'WRONG_SERVICE', 'SERVER_ERROR']);

/**
 * Returns the answer of a search. Returns the error instead of throwing it if it may mean that the archive does not
 * support the search.
 */
const orNotSo = async <T>(request: Promise<T>): Promise<T | RemoteError> => {
  try {
    return await request;
  } catch (error) {
    if (error instanceof RemoteError && meansNotSo.has(error.remoteCause)) return error;
    throw error;
  }
};
