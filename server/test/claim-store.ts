import { makeInstallation } from '#core/installation/installation.ts';
import type { World } from './world.ts';

/**
 * Marks the store of a world as owned by its database, as after a first start. Test images may be rows without files.
 */
export const claimStore = async ({ owner, context }: World): Promise<void> => {
  await makeInstallation(owner);
  const { id } = await owner.selectFrom('installation').select('id').executeTakeFirstOrThrow();
  await context.blobs.claim(id);
};
