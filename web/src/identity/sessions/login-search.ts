import { z } from 'zod';

/** Whether a path stays on this site, unlike "//other.example" and "/\other.example". */
const staysHere = (path: string): boolean =>
  path.startsWith('/') && new URL(path, window.location.origin).origin === window.location.origin;

/** Search of the sign-in page: the path to open afterwards, on this site only, and the organization, for bookmarks. */
export const loginSearch = z.object({
  organization: z.string().max(63).optional().catch(undefined),
  redirect: z.string().refine(staysHere).optional().catch(undefined),
});
