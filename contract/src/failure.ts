import { z } from 'zod';

/** What every failed call answers. `error` is a stable name, `message` is for people, `errors` name the inputs at fault. */
export const failure = z.object({
  code: z.number(),
  error: z.string(),
  message: z.string(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  traceId: z.string().optional(),
});
export type Failure = z.infer<typeof failure>;
