import { t } from '@radwork/contract/core/translate';
import { type DicomJson, textOf } from '@radwork/dicom/dataset';
import { instanceCountOf, readInstance, readSeries, type SeriesFound } from './read-qido-json.ts';
import type { RemoteInstance, RemoteListing } from './remote-source.ts';

/** Entries of a list that an archive has sent. */
export type Entries<T> = {
  items: T[];
  /** Minimum number of instances in the entries without a valid UID. */
  lost: number;
  /** True when the archive says that it left something out. */
  isCut: boolean;
};

export type Level<T> = {
  read: (data: DicomJson) => T | undefined;
  uidOf: (item: T) => string;
  instanceCountOf: (data: DicomJson) => number;
};

export const seriesLevel: Level<SeriesFound> = { read: readSeries, uidOf: ({ uid }) => uid, instanceCountOf };

/** Level of instances. `series` is used when an entry names no series. */
export const instanceLevel = (series?: string): Level<RemoteInstance> => ({
  read: (data) => readInstance(data, series),
  uidOf: ({ sopInstanceUID }) => sopInstanceUID,
  instanceCountOf: () => 1,
});

const longestName = 128;

/** Collects the entries of a list without duplicates. Stores only the parsed items, not their data sets. */
export const gatherEntries = <T>(level: Level<T>) => {
  const items = new Map<string, T>();
  const lost = new Map<string, number>();
  return {
    add: (data: DicomJson): void => {
      const item = level.read(data);
      if (item) items.set(level.uidOf(item), item);
      else lost.set(nameOf(data), level.instanceCountOf(data));
    },
    size: (): number => items.size + lost.size,
    entries: ({ isCut }: { isCut: boolean }): Entries<T> => ({
      items: [...items.values()],
      lost: sum([...lost.values()]),
      isCut,
    }),
  };
};

/** Returns the UID of an entry, even if it is invalid. */
const nameOf = (data: DicomJson): string =>
  (textOf(data, 'SOPInstanceUID') ?? textOf(data, 'SeriesInstanceUID') ?? '').slice(0, longestName);

/** Combines several lists into one. */
export const joinEntries = <T>(lists: readonly Entries<T>[]): Entries<T> => ({
  items: lists.flatMap(({ items }) => items),
  lost: sum(lists.map(({ lost }) => lost)),
  isCut: lists.some(({ isCut }) => isCut),
});

/**
 * Combines the listed instances with the numbers of instances that the archive states. A series counts with its stated
 * number, but at least with one. `counted` is the number for the whole study, if known.
 */
export const toListing = (
  series: Entries<SeriesFound>,
  instances: Entries<RemoteInstance>,
  counted: number | null = null,
): RemoteListing => {
  const bySeries = Map.groupBy(instances.items, ({ seriesInstanceUID }) => seriesInstanceUID);
  const short = series.items.map(({ uid, instanceCount }) =>
    Math.max(0, (instanceCount ?? 1) - (bySeries.get(uid)?.length ?? 0)),
  );
  const missed = Math.max(sum(short), instances.lost) + series.lost;
  return {
    instances: instances.items,
    promised: Math.max(counted ?? 0, instances.items.length + missed),
    omission: omissionOf(joinEntries<unknown>([series, instances])),
  };
};

const omissionOf = ({ lost, isCut }: Entries<unknown>): string =>
  [
    lost > 0 && t`The archive lists items with invalid UIDs. They cannot be requested.`,
    isCut && t`The archive reports that its lists are incomplete.`,
  ]
    .filter(Boolean)
    .join(' ');

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
