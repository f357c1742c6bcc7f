import { inTurns, readDataSets } from './answered-json.ts';
import type { ArchiveClient } from './archive-client.ts';
import { type Entries, gatherEntries, instanceLevel, type Level, seriesLevel, toListing, together } from './listing.ts';
import { RemoteError, type RemoteInstance, type RemoteListing } from './source.ts';

/** What is asked for at a time where an archive has many of something. */
const pageSize = 1000;
/** No study is that large; an archive that goes on like this does so for ever. */
const mostListed = 100_000;

/** The searches of QIDO-RS (PS3.18 §10.6) that list what a study consists of. */
export const createLists = (client: ArchiveClient) => {
  const ask = async (path: string, signal: AbortSignal) => {
    const answer = await client.json(`${client.qido}${path}`, { accept: 'application/dicom+json', signal });
    const headers = answer?.headers ?? {};
    // An archive that leaves out results of its own accord says so in a warning (PS3.18 §8.3.4.4).
    const isCut = (headers['warning'] ?? '').startsWith('299');
    return { found: await readDataSets(answer?.value ?? []), headers, isCut };
  };

  /** All entries of a list. Archives cap how much they answer at once, whatever is asked for: the end is where nothing new comes. */
  const askAll = async <T>(path: string, level: Level<T>, signal: AbortSignal): Promise<Entries<T>> => {
    const gathered = gatherEntries(level);
    let wasCut = false;
    for (let offset = 0; offset < mostListed; offset = gathered.size()) {
      const { found, isCut } = await ask(`${path}limit=${pageSize}&offset=${offset}`, signal);
      for await (const data of inTurns(found)) gathered.add(data);
      // That there is more is true of every page but the last: it matters where nothing comes of it.
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
   * How many instances each series has of which more than one is wanted: as the archive counts them, else as it lists
   * them. A series of which it does neither is left out.
   */
  const sizesOf = async (study: string, wanted: readonly RemoteInstance[], signal: AbortSignal) => {
    const { items } = await seriesOf(study, signal);
    const sizes = new Map(
      items.flatMap(({ uid, instanceCount }) => (instanceCount === null ? [] : [[uid, instanceCount] as const])),
    );
    for (const [uid, { length }] of Map.groupBy(wanted, ({ seriesInstanceUID }) => seriesInstanceUID)) {
      if (length === 1 || sizes.has(uid)) continue;
      const listed = await orNotSo(instancesIn(`/studies/${study}/series/${uid}`, signal, uid));
      if (!(listed instanceof RemoteError)) sizes.set(uid, listed.items.length);
    }
    return sizes;
  };

  /** All instances that the archive admits to in one way or the other. */
  const instancesOf = async (study: string, signal: AbortSignal): Promise<RemoteListing> => {
    const series = await seriesOf(study, signal);
    // Searching the instances of a whole study at once is more than many archives can do (PS3.18 §10.6).
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
    // What stopped it may be over in a moment, and then it has something.
    if (byUid.size === 0 && answered instanceof RemoteError && answered.remoteCause === 'SERVER_ERROR') throw answered;
    // What is wrong with the list of the whole study does not matter where there are others.
    const { lost, isCut } = lists.length > 0 ? together(lists) : atOnce;
    return toListing(series, { items: [...byUid.values()], lost, isCut });
  };

  return { ask, sizesOf, instancesOf };
};

const nothing: Entries<RemoteInstance> = { items: [], lost: 0, isCut: false };

const isWhole = ({ items, lost, isCut }: Entries<RemoteInstance>, { promised }: RemoteListing): boolean =>
  items.length > 0 && items.length === promised && lost === 0 && !isCut;

const tooMany = () => new RemoteError('OTHER', `The archive lists more than ${mostListed} items for one study.`);

const meansNotSo: ReadonlySet<string> = new Set(['NOT_FOUND', 'WRONG_SERVICE', 'SERVER_ERROR']);

/** What a search answers, or what tells that it cannot be asked like this. */
const orNotSo = async <T>(asking: Promise<T>): Promise<T | RemoteError> => {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof RemoteError && meansNotSo.has(error.remoteCause)) return error;
    throw error;
  }
};
