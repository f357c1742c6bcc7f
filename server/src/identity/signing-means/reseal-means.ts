import type { Database } from '#core/database/database.ts';
import { resealEach, type Vault } from '#core/installation/vault.ts';
import { sealedImageColumn, sealedPinColumn } from './stored-means.ts';

/**
 * Seals saved signatures and PINs with the current secret, with the rights of the database owner. Rows that cannot be
 * opened stay. Their users must set a new signature or PIN.
 */
export const resealSigningMeans = async (owner: Database, vault: Vault): Promise<number> => {
  const pictures = await owner.selectFrom('saved_signatures').selectAll().execute();
  const pins = await owner.selectFrom('signing_pins').selectAll().execute();
  const ofPictures = await resealEach(vault, pictures, {
    sealedIn: ({ tenant_id, user_id, sealed_picture }) => ({
      sealed: sealed_picture,
      place: sealedImageColumn({ tenantId: tenant_id, userId: user_id }),
    }),
    keep: ({ tenant_id, user_id, sealed_picture: before }, sealed_picture) =>
      owner
        .updateTable('saved_signatures')
        .set({ sealed_picture })
        .where('tenant_id', '=', tenant_id)
        .where('user_id', '=', user_id)
        .where('sealed_picture', '=', before)
        .executeTakeFirst(),
  });
  const ofPins = await resealEach(vault, pins, {
    sealedIn: ({ tenant_id, user_id, sealed_hash }) => ({
      sealed: sealed_hash,
      place: sealedPinColumn({ tenantId: tenant_id, userId: user_id }),
    }),
    keep: ({ tenant_id, user_id, sealed_hash: before }, sealed_hash) =>
      owner
        .updateTable('signing_pins')
        .set({ sealed_hash })
        .where('tenant_id', '=', tenant_id)
        .where('user_id', '=', user_id)
        .where('sealed_hash', '=', before)
        .executeTakeFirst(),
  });
  return ofPictures + ofPins;
};
