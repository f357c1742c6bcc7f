import { identities } from '@radwork/contract/imaging/identities';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { count, decide, list, undo } from './service.ts';

export const identityRoutes = ({ serve }: Routes, { sessions }: Context) => {
  serve(identities.list, (scope, { query }) => list(scope, query));
  serve(identities.count, (scope) => count(scope));
  serve(identities.decide, (scope, { params, body }) => decide(scope, sessions, params.id, body));
  serve(identities.undo, (scope, { params }) => undo(scope, params.id));
};
