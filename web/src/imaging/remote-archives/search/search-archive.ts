import { remoteStudies } from '@radwork/contract/imaging/remote-studies';
import { call } from '#core/http/api.ts';
import { keysOf, type RemoteSearch } from './remote-search.ts';

/** Time-out in milliseconds. It is longer than the time that the server waits for a remote archive. */
const patience = 65_000;

/** Searches a remote archive. Throws ApiError with a readable message. */
export const searchArchive = ({ configId = '', ...keys }: RemoteSearch, signal?: AbortSignal) =>
  call(
    remoteStudies.search,
    { query: { configId, ...keysOf(keys) } },
    { timeout: patience, ...(signal && { signal }) },
  );
