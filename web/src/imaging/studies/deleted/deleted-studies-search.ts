import { listPaging } from '#imaging/studies/list/studies-search.ts';

export const deletedStudiesSearch = listPaging.pick({ page: true, size: true });
