import { reportFeedbackCalls } from '@radwork/contract/reading/report-feedback';
import type { Routes } from '#core/http/http.ts';
import { list, mark } from './service.ts';

export const reportFeedbackRoutes = ({ serve }: Routes) => {
  serve(reportFeedbackCalls.list, (scope) => list(scope));
  serve(reportFeedbackCalls.mark, (scope, { params, body }) => mark(scope, params.id, body));
};
