import { z } from 'zod';

/** Whether a path stays on this site. "//other.example" and "/\other.example" would not. */
const staysHere = (path: string): boolean =>
  path.startsWith('/') && new URL(path, window.location.origin).origin === window.location.origin;

/**
 * Search parameters of the sign-in screen: the path on this site to open after sign-in, and the organization. The
 * organization is in the address so that users can bookmark it.
 */
export const loginSearch = z.object({
  organization: z.string().max(63).optional().catch(undefined),
  redirect: z.string().refine(staysHere).optional().catch(undefined),
});
