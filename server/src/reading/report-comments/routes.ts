import { reportComments } from '@radwork/contract/reading/report-comments';
import type { Routes } from '#core/http/http.ts';
import { create, list, remove, reply, settle } from './service.ts';

export const reportCommentRoutes = ({ serve }: Routes) => {
  serve(reportComments.list, (scope, { params }) => list(scope, params.id));
  serve(reportComments.create, (scope, { params, body }) => create(scope, params.id, body));
  serve(reportComments.reply, (scope, { params, body }) => reply(scope, params, body));
  serve(reportComments.settle, (scope, { params, body }) => settle(scope, params, body));
  serve(reportComments.remove, (scope, { params }) => remove(scope, params));
};
