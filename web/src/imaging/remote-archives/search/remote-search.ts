import { z } from 'zod';
import { searchTextParam } from '#core/http/search-params.ts';

/** Search keys in the address. The user has not searched yet if there is no configuration. */
export const remoteSearch = z.object({
  configId: searchTextParam,
  patientName: searchTextParam,
  patientId: searchTextParam,
  accessionNumber: searchTextParam,
  modality: searchTextParam,
  startDate: searchTextParam,
  endDate: searchTextParam,
});
export type RemoteSearch = z.infer<typeof remoteSearch>;

export const keyNames = ['patientName', 'patientId', 'accessionNumber', 'modality', 'startDate', 'endDate'] as const;

const digits = (day: string | undefined): string => (day ?? '').replaceAll('-', '');

/** Converts the search keys for the server. Two dates give a closed range; one date gives an open range. */
export const keysOf = ({ startDate, endDate, ...keys }: Omit<RemoteSearch, 'configId'>) => ({
  ...keys,
  studyDate: startDate || endDate ? `${digits(startDate)}-${digits(endDate)}` : '',
});
