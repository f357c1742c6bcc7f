import { z } from 'zod';
import { pageInAddress, wordsInAddress } from '#core/list-address.ts';

/** What the address of the atlas or the guidelines may say. Anything it says wrongly counts as not said. */
export const librarySearch = z.object({ q: wordsInAddress, ...pageInAddress });
export type LibrarySearch = z.infer<typeof librarySearch>;
