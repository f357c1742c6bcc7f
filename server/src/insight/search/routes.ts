import { search } from '@radwork/contract/insight/search';
import type { Routes } from '#core/http/http.ts';
import { createSearchNotes, searchEverywhere } from './service.ts';

export const searchRoutes = ({ serve }: Routes) => {
  const noteSearch = createSearchNotes();
  serve(search.everywhere, (scope, { query }) => searchEverywhere(scope, query, noteSearch));
};
