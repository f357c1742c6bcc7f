import { importJobExport, importJobs } from '@radwork/contract/imaging/import-jobs';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { exportImports } from './export-imports.ts';
import { cancel, create, list, read, retry } from './service.ts';

export const importJobRoutes = ({ serve, serveStream }: Routes, { scopes }: Context) => {
  serve(importJobs.create, (scope, { body }) => create(scope, body));
  serve(importJobs.list, (scope, { query }) => list(scope, query));
  serveStream('', importJobExport, (call) => exportImports(scopes, call));
  serve(importJobs.read, (scope, { params }) => read(scope, params.id));
  serve(importJobs.retry, (scope, { params }) => retry(scope, params.id));
  serve(importJobs.cancel, (scope, { params }) => cancel(scope, params.id));
};
