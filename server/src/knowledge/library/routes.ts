import { knowledge } from '@radwork/contract/knowledge/library';
import type { Routes } from '#core/http/http.ts';
import { textsForStudy } from './offered-texts.ts';

export const libraryRoutes = ({ serve }: Routes) => {
  serve(knowledge.forStudy, (scope, { params }) => textsForStudy(scope, params.id));
};
