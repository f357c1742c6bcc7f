import { reportingSettings } from '@radwork/contract/reporting-settings';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http.ts';
import { testProvider } from './test-provider.ts';
import { read, readForWriting, save } from './service.ts';

export const reportingSettingsRoutes = ({ serve, serveWaiting }: Routes, context: Context) => {
  serve(reportingSettings.forWriting, (scope) => readForWriting(scope));
  serve(reportingSettings.read, (scope) => read(scope));
  serve(reportingSettings.save, (scope, { body }) => save(scope, context.vault, body));
  serveWaiting(reportingSettings.test, (session, { body }) => testProvider(context, session, body));
};
