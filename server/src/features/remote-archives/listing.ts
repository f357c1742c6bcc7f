import { type DicomJson, textOf } from '@radwork/dicom/dataset';
import { instancesBehind, readInstance, readSeries, type SeriesFound } from './answered-json.ts';
import type { RemoteInstance, RemoteListing } from './source.ts';

/** What a list of an archive holds. */
export type Entries<T> = {
  items: T[];
  /** How many instances, at least, are behind entries that have no valid UID. */
  lost: number;
  /** The archive says that it has left something out. */
  isCut: boolean;
};

export type Level<T> = {
  read: (data: DicomJson) => T | undefined;
  uidOf: (item: T) => string;
  instancesBehind: (data: DicomJson) => number;
};

export const seriesLevel: Level<SeriesFound> = { read: readSeries, uidOf: ({ uid }) => uid, instancesBehind };

/** Instances, whose series may be known from elsewhere. */
export const instanceLevel = (series?: string): Level<RemoteInstance> => ({
  read: (data) => readInstance(data, series),
  uidOf: ({ sopInstanceUID }) => sopInstanceUID,
  instancesBehind: () => 1,
});

const longestName = 128;

/** Gathers the entries of a list, each once. Of the data sets only what is read out of them is kept. */
export const gatherEntries = <T>(level: Level<T>) => {
  const items = new Map<string, T>();
  const lost = new Map<string, number>();
  return {
    add: (data: DicomJson): void => {
      const item = level.read(data);
      if (item) items.set(level.uidOf(item), item);
      else lost.set(nameOf(data), level.instancesBehind(data));
    },
    size: (): number => items.size + lost.size,
    entries: ({ isCut }: { isCut: boolean }): Entries<T> => ({
      items: [...items.values()],
      lost: sum([...lost.values()]),
      isCut,
    }),
  };
};

/** What an entry calls itself, valid or not. */
const nameOf = (data: DicomJson): string =>
  (textOf(data, 'SOPInstanceUID') ?? textOf(data, 'SeriesInstanceUID') ?? '').slice(0, longestName);

/** The entries of several lists, as those of one. */
export const together = <T>(lists: readonly Entries<T>[]): Entries<T> => ({
  items: lists.flatMap(({ items }) => items),
  lost: sum(lists.map(({ lost }) => lost)),
  isCut: lists.some(({ isCut }) => isCut),
});

/**
 * What an archive lists of a study, and how many instances it says that there are: in each series as many as it counts,
 * or at least one, since no series is empty. `counted` is what it says of the whole study, where that is known.
 */
export const toListing = (
  series: Entries<SeriesFound>,
  instances: Entries<RemoteInstance>,
  counted: number | null = null,
): RemoteListing => {
  const listed = Map.groupBy(instances.items, ({ seriesInstanceUID }) => seriesInstanceUID);
  const short = series.items.map(({ uid, instanceCount }) =>
    Math.max(0, (instanceCount ?? 1) - (listed.get(uid)?.length ?? 0)),
  );
  const missed = Math.max(sum(short), instances.lost) + series.lost;
  return {
    instances: instances.items,
    promised: Math.max(counted ?? 0, instances.items.length + missed),
    omission: omissionOf(together<unknown>([series, instances])),
  };
};

const omissionOf = ({ lost, isCut }: Entries<unknown>): string =>
  [
    lost > 0 && 'The archive names something by UIDs that are not valid, which cannot be asked for.',
    isCut && 'The archive says itself that it leaves something out of its lists.',
  ]
    .filter(Boolean)
    .join(' ');

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
