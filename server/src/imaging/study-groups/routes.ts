import { studyGroups } from '@radwork/contract/imaging/study-groups';
import type { Routes } from '#core/http/http.ts';
import { list, replace } from './service.ts';

export const studyGroupRoutes = ({ serve }: Routes) => {
  serve(studyGroups.list, (scope, { params }) => list(scope, params.id));
  serve(studyGroups.replace, (scope, { params, body }) => replace(scope, params.id, body));
};
