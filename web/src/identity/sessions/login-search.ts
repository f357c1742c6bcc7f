import { z } from 'zod';

/** Whether a path stays on this site. "//other.example" and "/\other.example" would not. */
const staysHere = (path: string): boolean =>
  path.startsWith('/') && new URL(path, window.location.origin).origin === window.location.origin;

/**
 * Search parameters of the sign-in screen: the path to open afterwards, on this site only, and the organization, so
 * that users can bookmark it.
 */
export const loginSearch = z.object({
  organization: z.string().max(63).optional().catch(undefined),
  redirect: z.string().refine(staysHere).optional().catch(undefined),
});
