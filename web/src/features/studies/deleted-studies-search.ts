import { listPaging } from './studies-search.ts';

/** Search parameters of the recycle bin. */
export const deletedStudiesSearch = listPaging.pick({ page: true, size: true });
