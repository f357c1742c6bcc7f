import { bulkChanges } from '@radwork/contract/reading/bulk-changes';
import type { Routes } from '#core/http/http.ts';
import { assignMany, changeStatuses, prioritize, unassignMany } from './service.ts';

export const bulkChangeRoutes = ({ serve }: Routes) => {
  serve(bulkChanges.assign, (scope, { body }) => assignMany(scope, body));
  serve(bulkChanges.unassign, (scope, { body }) => unassignMany(scope, body));
  serve(bulkChanges.prioritize, (scope, { body }) => prioritize(scope, body));
  serve(bulkChanges.changeStatus, (scope, { body }) => changeStatuses(scope, body));
};
