import { reportAutosaves } from '@radwork/contract/report-autosaves';
import type { Routes } from '#core/http.ts';
import { find, giveUp, keep } from './service.ts';

export const reportAutosaveRoutes = ({ serve }: Routes) => {
  serve(reportAutosaves.find, (scope, { params }) => find(scope, params.id));
  serve(reportAutosaves.keep, (scope, { params, body }) => keep(scope, params.id, body));
  serve(reportAutosaves.giveUp, (scope, { params, query }) => giveUp(scope, params.id, query.keptTextId));
};
