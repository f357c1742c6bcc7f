import { Readable } from 'node:stream';
import type { Context } from '#core/context.ts';

/** Stores bytes without an instance, like a server that dies before its commit. Returns their hash. */
export const leaveBytes = async (
  { blobs }: Pick<Context, 'blobs'>,
  tenantId: number,
  bytes: Buffer,
): Promise<string> => {
  const blob = await blobs.receive(Readable.from([bytes]), bytes.length, tenantId);
  await blob.sync();
  await blobs.keep(tenantId, [blob]);
  return blob.sha256;
};
