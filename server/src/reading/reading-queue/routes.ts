import { readingQueue } from '@radwork/contract/reading/reading-queue';
import type { Routes } from '#core/http/http.ts';
import { deferredStudies } from './deferrals.ts';
import { claimNext, defer, list, lookAhead, resume } from './service.ts';

export const readingQueueRoutes = ({ serve }: Routes) => {
  serve(readingQueue.next, (scope, { body }) => claimNext(scope, body));
  serve(readingQueue.list, (scope, { body }) => list(scope, body));
  serve(readingQueue.ahead, (scope, { body }) => lookAhead(scope, body));
  serve(readingQueue.deferrals, (scope) => deferredStudies(scope));
  serve(readingQueue.defer, (scope, { params, body }) => defer(scope, params.id, body));
  serve(readingQueue.resume, (scope, { params }) => resume(scope, params.id));
};
