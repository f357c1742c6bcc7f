import { listPaging } from '#imaging/studies/list/studies-search.ts';

/** Search parameters of the recycle bin. */
export const deletedStudiesSearch = listPaging.pick({ page: true, size: true });
