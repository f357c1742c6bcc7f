import { importJobs } from '@radwork/contract/imaging/import-jobs';
import type { Routes } from '#core/http/http.ts';
import { cancel, create, list, read, retry } from './service.ts';

export const importJobRoutes = ({ serve }: Routes) => {
  serve(importJobs.create, (scope, { body }) => create(scope, body));
  serve(importJobs.list, (scope, { query }) => list(scope, query));
  serve(importJobs.read, (scope, { params }) => read(scope, params.id));
  serve(importJobs.retry, (scope, { params }) => retry(scope, params.id));
  serve(importJobs.cancel, (scope, { params }) => cancel(scope, params.id));
};
