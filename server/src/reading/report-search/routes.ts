import { reportHitsExport, reportSearch, reportsExport } from '@radwork/contract/reading/report-search';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { exportHits, exportReports } from './export-reports.ts';
import { authors, find } from './service.ts';

export const reportSearchRoutes = ({ serve, serveStream }: Routes, { scopes }: Context) => {
  serve(reportSearch.find, (scope, { query }) => find(scope, query));
  serve(reportSearch.authors, (scope) => authors(scope));
  serveStream('', reportHitsExport, (call) => exportHits(scopes, call));
  serveStream('', reportsExport, (call) => exportReports(scopes, call));
};
