import { t } from '@radwork/contract/core/translate';
import type { Config } from '#core/config/config.ts';
import { tooMany } from '#core/http/problem.ts';

export type UploadSlots = ReturnType<typeof createUploadSlots>;

/** Seconds after which a refused sender may try again. */
const retryAfterSeconds = 5;

/**
 * Limits parallel uploads per tenant and in total, so that one sender leaves memory, disk and database to other
 * senders. Answers 429 before reading an upload above the limit.
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
      throw tooMany(t`Too many uploads at once. Try again in a few seconds.`, retryAfterSeconds);
    }
    running.set(tenantId, ofTenant + 1);
    runningAltogether += 1;
  };

  const giveBack = (tenantId: number) => {
    const remaining = (running.get(tenantId) ?? 0) - 1;
    if (remaining > 0) running.set(tenantId, remaining);
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
