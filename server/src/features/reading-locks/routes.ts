import { readingLocks } from '@radwork/contract/reading-locks';
import type { Routes } from '#core/http.ts';
import { beat, release, take } from './service.ts';

export const readingLockRoutes = ({ serve }: Routes) => {
  serve(readingLocks.take, (scope, { params, body }) => take(scope, params.id, body));
  serve(readingLocks.beat, (scope, { params }) => beat(scope, params.id));
  serve(readingLocks.release, (scope, { params }) => release(scope, params.id));
};
