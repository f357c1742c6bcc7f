import { peerReviewExport, peerReviews } from '@radwork/contract/reading/peer-reviews';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { exportReviews } from './export-reviews.ts';
import { figures } from './figures.ts';
import { choose, get, list, pass, reply, score } from './service.ts';
import { readSettings, saveSettings } from './settings.ts';

export const peerReviewRoutes = ({ serve, serveStream }: Routes, { scopes }: Context) => {
  serve(peerReviews.list, (scope, { query }) => list(scope, query));
  serveStream('', peerReviewExport, (call) => exportReviews(scopes, call));
  serve(peerReviews.get, (scope, { params }) => get(scope, params.id));
  serve(peerReviews.terms, (scope) => readSettings(scope));
  serve(peerReviews.choose, (scope, { params, body }) => choose(scope, params.id, body));
  serve(peerReviews.score, (scope, { params, body }) => score(scope, params.id, body));
  serve(peerReviews.pass, (scope, { params }) => pass(scope, params.id));
  serve(peerReviews.reply, (scope, { params, body }) => reply(scope, params.id, body.reply));
  serve(peerReviews.figures, (scope, { query }) => figures(scope, query));
  serve(peerReviews.settings, (scope) => readSettings(scope));
  serve(peerReviews.saveSettings, (scope, { body }) => saveSettings(scope, body));
};
