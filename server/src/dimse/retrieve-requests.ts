import type { Elements } from '@radwork/dicom/part10';
import type { RemoteInstance } from '#features/remote-archives/source.ts';

/** The identifier of a request, and the instances that it is for. */
export type RetrieveRequest = { keys: Elements; sopInstanceUIDs: string[] };

/** Lists longer than this have made other software stumble. */
const mostInOneRequest = 50;

/**
 * What to ask for so as to get the wanted instances: series by series, as a whole where all of it is wanted, else by
 * lists of instances (PS3.4 §C.4.3.1.3).
 */
export const requestsFor = (
  StudyInstanceUID: string,
  wanted: readonly RemoteInstance[],
  listed: readonly RemoteInstance[],
): RetrieveRequest[] => {
  const sizes = Map.groupBy(listed, ({ seriesInstanceUID }) => seriesInstanceUID);
  const bySeries = Map.groupBy(wanted, ({ seriesInstanceUID }) => seriesInstanceUID);
  return [...bySeries].flatMap(([SeriesInstanceUID, instances]): RetrieveRequest[] => {
    const uids = instances.map(({ sopInstanceUID }) => sopInstanceUID);
    const names = { StudyInstanceUID, SeriesInstanceUID };
    if (uids.length === sizes.get(SeriesInstanceUID)?.length)
      return [{ keys: { QueryRetrieveLevel: 'SERIES', ...names }, sopInstanceUIDs: uids }];
    return inPortions(uids).map((portion) => ({
      keys: { QueryRetrieveLevel: 'IMAGE', ...names, SOPInstanceUID: portion },
      sopInstanceUIDs: portion,
    }));
  });
};

const inPortions = (uids: string[]): string[][] =>
  Array.from({ length: Math.ceil(uids.length / mostInOneRequest) }, (_, index) =>
    uids.slice(index * mostInOneRequest, (index + 1) * mostInOneRequest),
  );

/** The instance that a request is for, where that is one alone. */
export const singleOf = ({ sopInstanceUIDs: [uid, ...others] }: RetrieveRequest): string | undefined =>
  others.length === 0 ? uid : undefined;

/** What is left of a request, each instance by itself. */
export const oneByOne = ({ keys, sopInstanceUIDs }: RetrieveRequest, left: ReadonlySet<string>): RetrieveRequest[] =>
  sopInstanceUIDs
    .filter((uid) => left.has(uid))
    .map((uid) => ({
      keys: { ...keys, QueryRetrieveLevel: 'IMAGE', SOPInstanceUID: uid },
      sopInstanceUIDs: [uid],
    }));
