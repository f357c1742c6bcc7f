import { remoteStudies } from '@radwork/contract/remote-studies';
import { call } from '#core/api.ts';
import { keysOf, type RemoteSearch } from './remote-search.ts';

/** Somewhat longer than the server itself waits for another archive, in milliseconds. */
const patience = 65_000;

/** Searches another archive. Throws an ApiError that says in words why that failed. */
export const askArchive = ({ configId = '', ...keys }: RemoteSearch, signal?: AbortSignal) =>
  call(
    remoteStudies.search,
    { query: { configId, ...keysOf(keys) } },
    { timeout: patience, ...(signal && { signal }) },
  );
