import { z } from 'zod';

export const testCauses = [
  'REFUSED_BY_POLICY',
  'DNS',
  'CONNECTION_REFUSED',
  'TIMEOUT',
  'TLS',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'WRONG_SERVICE',
  'SERVER_ERROR',
  'ASSOCIATION_REJECTED',
  'OTHER',
] as const;
export type TestCause = (typeof testCauses)[number];

/** Result of a connection test, which takes at most ten seconds. `message` says what is wrong and what to do. */
export const connectionTest = z.object({
  isOk: z.boolean(),
  milliseconds: z.number(),
  /** Name of the remote server, if it gives one. */
  server: z.string(),
  cause: z.enum(testCauses).nullable(),
  message: z.string(),
});
export type ConnectionTest = z.infer<typeof connectionTest>;
