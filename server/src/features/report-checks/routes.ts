import { reportChecks } from '@radwork/contract/report-checks';
import type { Routes } from '#core/http.ts';
import { check, factsOfStudy } from './service.ts';

export const reportCheckRoutes = ({ serve }: Routes) => {
  serve(reportChecks.facts, (scope, { params }) => factsOfStudy(scope, params.id));
  serve(reportChecks.check, (scope, { params }) => check(scope, params.id));
};
