import { followUpExport, followUps } from '@radwork/contract/reading/follow-ups';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { add, decide, dismissMatch, edit, review } from './change-follow-up.ts';
import { exportFollowUps } from './export-follow-ups.ts';
import { get, list, ofStudy, owners } from './service.ts';
import { readSettings, saveSettings } from './settings.ts';

export const followUpRoutes = ({ serve, serveStream }: Routes, { scopes }: Context) => {
  serve(followUps.list, (scope, { query }) => list(scope, query));
  serveStream('', followUpExport, (call) => exportFollowUps(scopes, call));
  serve(followUps.get, (scope, { params }) => get(scope, params.id));
  serve(followUps.ofStudy, (scope, { params }) => ofStudy(scope, params.id));
  serve(followUps.add, (scope, { params, body }) => add(scope, params.id, body));
  serve(followUps.edit, (scope, { params, body }) => edit(scope, params.id, body));
  serve(followUps.decide, (scope, { params, body }) => decide(scope, params.id, body));
  serve(followUps.dismissMatch, (scope, { params, body }) => dismissMatch(scope, params.id, body.studyId));
  serve(followUps.review, (scope, { params, body }) => review(scope, params.id, body.revision));
  serve(followUps.owners, (scope, { params }) => owners(scope, params.id));
  serve(followUps.settings, (scope) => readSettings(scope));
  serve(followUps.saveSettings, (scope, { body }) => saveSettings(scope, body));
};
