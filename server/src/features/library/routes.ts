import { knowledge } from '@radwork/contract/knowledge';
import type { Routes } from '#core/http.ts';
import { textsForStudy } from './offered-texts.ts';

export const libraryRoutes = ({ serve }: Routes) => {
  serve(knowledge.forStudy, (scope, { params }) => textsForStudy(scope, params.id));
};
