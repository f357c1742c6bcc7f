import { dashboard, dashboardExport } from '@radwork/contract/insight/dashboard';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { exportDashboard } from './export.ts';
import { read } from './service.ts';

export const dashboardRoutes = ({ serve, serveStream }: Routes, { scopes }: Context) => {
  serve(dashboard.read, (scope, { query }) => read(scope, query));
  serveStream('', dashboardExport, (call) => exportDashboard(scopes, call));
};
