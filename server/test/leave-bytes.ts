import { Readable } from 'node:stream';
import type { Context } from '#core/context.ts';

/** Puts bytes into a tenant's store that no instance has, as a server does that dies before its commit. Returns their hash. */
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
