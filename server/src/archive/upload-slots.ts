import type { Config } from '#core/config.ts';
import { tooMany } from '#core/problem.ts';

export type UploadSlots = ReturnType<typeof createUploadSlots>;

/** Seconds after which a sender who was turned away may try again. */
const retryAfterSeconds = 5;

/**
 * Lets only so many uploads in at once, of one tenant and of all, so that one sender's zeal leaves memory, disk and
 * database to the others. Who is too many is told so before anything of the upload is read, with 429.
 */
export const createUploadSlots = ({
  uploadsPerTenant,
  uploadsPerServer,
}: Pick<Config, 'uploadsPerTenant' | 'uploadsPerServer'>) => {
  const running = new Map<number, number>();
  let runningAltogether = 0;

  const take = (tenantId: number) => {
    const ofTenant = running.get(tenantId) ?? 0;
    if (ofTenant >= uploadsPerTenant || runningAltogether >= uploadsPerServer) {
      throw tooMany('Too many uploads at once. Try again in a few seconds.', retryAfterSeconds);
    }
    running.set(tenantId, ofTenant + 1);
    runningAltogether += 1;
  };

  const giveBack = (tenantId: number) => {
    const left = (running.get(tenantId) ?? 0) - 1;
    if (left > 0) running.set(tenantId, left);
    else running.delete(tenantId);
    runningAltogether -= 1;
  };

  return async <T>(tenantId: number, upload: () => Promise<T>): Promise<T> => {
    take(tenantId);
    try {
      return await upload();
    } finally {
      giveBack(tenantId);
    }
  };
};
