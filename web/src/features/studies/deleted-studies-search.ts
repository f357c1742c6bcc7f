import { listPaging } from './studies-search.ts';

/** What the address of the recycle bin may say. */
export const deletedStudiesSearch = listPaging.pick({ page: true, size: true });
