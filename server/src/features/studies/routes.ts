import { studies } from '@radwork/contract/studies';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http.ts';
import { remove, restore } from './recycle-bin.ts';
import { get, getByUid, series, tags, update } from './service.ts';
import { list, ofPatient, pending, recent, search } from './study-list.ts';
import { views } from './study-views.ts';

export const studyRoutes = ({ serve }: Routes, { sessions }: Context) => {
  serve(studies.list, (scope, { query }) => list(scope, query));
  serve(studies.search, (scope, { query }) => search(scope, query));
  serve(studies.views, (scope) => views(scope));
  serve(studies.recent, (scope, { query }) => recent(scope, query));
  serve(studies.pending, (scope, { query }) => pending(scope, query));
  serve(studies.ofPatient, (scope, { params, query }) => ofPatient(scope, params.id, query));
  serve(studies.get, (scope, { params }) => get(scope, params.id));
  serve(studies.getByUid, (scope, { params }) => getByUid(scope, params.studyUid));
  serve(studies.series, (scope, { params }) => series(scope, params.id));
  serve(studies.tags, (scope, { params }) => tags(scope, params.id));
  serve(studies.update, (scope, { params, body }) => update(scope, params.id, body));
  serve(studies.remove, (scope, { params }) => remove(scope, sessions, params.id));
  serve(studies.restore, (scope, { params }) => restore(scope, params.id));
};
