import type { Elements } from '@radwork/dicom/part10';
import type { RemoteInstance } from './remote-source.ts';

/** The identifier of a request and its instances. */
export type RetrieveRequest = { keys: Elements; sopInstanceUIDs: string[] };

/** Maximum length of a list. Longer lists have caused failures in other software. */
const mostInOneRequest = 50;

/**
 * Splits wanted instances into requests by series: the whole series if all of it is wanted, otherwise lists of
 * instances (PS3.4 §C.4.3.1.3).
 */
export const requestsFor = (
  StudyInstanceUID: string,
  requested: readonly RemoteInstance[],
  listed: readonly RemoteInstance[],
): RetrieveRequest[] => {
  const sizes = Map.groupBy(listed, ({ seriesInstanceUID }) => seriesInstanceUID);
  const bySeries = Map.groupBy(requested, ({ seriesInstanceUID }) => seriesInstanceUID);
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

/** Returns the instance of a request that has exactly one. */
export const singleOf = ({ sopInstanceUIDs: [uid, ...others] }: RetrieveRequest): string | undefined =>
  others.length === 0 ? uid : undefined;

/** Returns a separate request for each remaining instance. */
export const oneByOne = (
  { keys, sopInstanceUIDs }: RetrieveRequest,
  remaining: ReadonlySet<string>,
): RetrieveRequest[] =>
  sopInstanceUIDs
    .filter((uid) => remaining.has(uid))
    .map((uid) => ({
      keys: { ...keys, QueryRetrieveLevel: 'IMAGE', SOPInstanceUID: uid },
      sopInstanceUIDs: [uid],
    }));
