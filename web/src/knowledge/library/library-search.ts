import { z } from 'zod';
import { pageInAddress, searchTextParam } from '#core/http/search-params.ts';

/** Search in the atlas or guidelines, stored in the address. Invalid values are ignored. */
export const librarySearch = z.object({ q: searchTextParam, ...pageInAddress });
export type LibrarySearch = z.infer<typeof librarySearch>;
