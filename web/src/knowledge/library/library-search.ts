import { z } from 'zod';
import { pageInAddress, searchTextParam } from '#core/http/search-params.ts';

/** Search of the atlas or guidelines in the address. Invalid values are ignored. */
export const librarySearch = z.object({ q: searchTextParam, ...pageInAddress });
export type LibrarySearch = z.infer<typeof librarySearch>;
