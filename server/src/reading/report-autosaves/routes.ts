import { reportAutosaves } from '@radwork/contract/reading/report-autosaves';
import type { Routes } from '#core/http/http.ts';
import { find, discardAutosave, saveAutosave } from './service.ts';

export const reportAutosaveRoutes = ({ serve }: Routes) => {
  serve(reportAutosaves.find, (scope, { params }) => find(scope, params.id));
  serve(reportAutosaves.keep, (scope, { params, body }) => saveAutosave(scope, params.id, body));
  serve(reportAutosaves.giveUp, (scope, { params, query }) => discardAutosave(scope, params.id, query.keptTextId));
};
