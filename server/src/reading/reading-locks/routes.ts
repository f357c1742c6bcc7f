import { readingLocks } from '@radwork/contract/reading/reading-locks';
import type { Routes } from '#core/http/http.ts';
import { renewLock, release, takeLock } from './service.ts';

export const readingLockRoutes = ({ serve }: Routes) => {
  serve(readingLocks.take, (scope, { params, body }) => takeLock(scope, params.id, body));
  serve(readingLocks.beat, (scope, { params }) => renewLock(scope, params.id));
  serve(readingLocks.release, (scope, { params }) => release(scope, params.id));
};
