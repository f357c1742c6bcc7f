import { z } from 'zod';

/** Whether a path stays on this site; "//other.example" and "/\other.example" do not. */
const staysHere = (path: string): boolean =>
  path.startsWith('/') && new URL(path, window.location.origin).origin === window.location.origin;

/** Where to go after signing in: a path of this site, or nothing; and the organisation, for a bookmark of its people. */
export const loginSearch = z.object({
  organisation: z.string().max(63).optional().catch(undefined),
  redirect: z.string().refine(staysHere).optional().catch(undefined),
});
