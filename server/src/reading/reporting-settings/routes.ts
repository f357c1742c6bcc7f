import { reportingSettings } from '@radwork/contract/reading/reporting-settings';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { read, readForWriting, save } from './service.ts';

export const reportingSettingsRoutes = ({ serve }: Routes, context: Context) => {
  serve(reportingSettings.forWriting, (scope) => readForWriting(scope));
  serve(reportingSettings.read, (scope) => read(scope));
  serve(reportingSettings.save, (scope, { body }) => save(scope, context.vault, body));
};
