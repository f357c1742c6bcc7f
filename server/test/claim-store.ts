import { makeInstallation } from '#core/installation.ts';
import type { World } from './world.ts';

/** Has the store of a world be that of its database, as where a server has run before: images of tests may be rows alone. */
export const claimStore = async ({ owner, context }: World): Promise<void> => {
  await makeInstallation(owner);
  const { id } = await owner.selectFrom('installation').select('id').executeTakeFirstOrThrow();
  await context.blobs.claim(id);
};
