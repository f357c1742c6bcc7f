import { reportChecks } from '@radwork/contract/reading/report-checks';
import type { Routes } from '#core/http/http.ts';
import { check, factsOfStudy } from './service.ts';

export const reportCheckRoutes = ({ serve }: Routes) => {
  serve(reportChecks.facts, (scope, { params }) => factsOfStudy(scope, params.id));
  serve(reportChecks.check, (scope, { params }) => check(scope, params.id));
};
