import { keptLayouts } from '@radwork/contract/reading/kept-layouts';
import type { Routes } from '#core/http/http.ts';
import { forget, keep, mine } from './service.ts';

export const keptLayoutRoutes = ({ serve }: Routes) => {
  serve(keptLayouts.mine, (scope) => mine(scope));
  serve(keptLayouts.keep, (scope, { body }) => keep(scope, body));
  serve(keptLayouts.forget, (scope, { query }) => forget(scope, query.kind));
};
