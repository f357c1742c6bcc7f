import { z } from 'zod';

/**
 * Body of every failed call. `error` is a stable code, `message` is for the user, and `errors` lists the invalid
 * inputs.
 */
export const failure = z.object({
  code: z.number(),
  error: z.string(),
  message: z.string(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  traceId: z.string().optional(),
});
export type Failure = z.infer<typeof failure>;
