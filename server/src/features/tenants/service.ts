import { builtInRoleNames, defaultPermissions, userTypes } from '@radwork/contract/access';
import type { Kysely } from 'kysely';
import type { Database, Schema } from '#core/database.ts';
import { newId } from '#core/ids.ts';

export type NewTenant = {
  name: string;
  subdomain: string;
  timeZone?: string;
  isReviewRequired?: boolean;
  /** Default: true, so that no report is shared without a passcode or a birth date. */
  isLinkCodeRequired?: boolean;
};

/**
 * Makes a tenant with its built-in roles, one for each user type. Tenants belong to nobody's tenant, so this
 * alone works on the owner's connection and not in a scope.
 */
export const createTenant = (owner: Database, tenant: NewTenant): Promise<number> =>
  owner.transaction().execute(async (db) => {
    const { id } = await db
      .insertInto('tenants')
      .values({
        name: tenant.name,
        subdomain: tenant.subdomain,
        time_zone: tenant.timeZone ?? 'UTC',
        is_review_required: tenant.isReviewRequired ?? true,
        is_link_code_required: tenant.isLinkCodeRequired ?? true,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await makeBuiltInRoles(db, id);
    return id;
  });

/**
 * Gives a tenant that the database has just made its roles and links that ask for a code. The column's own default
 * (migration 0024) allows open links.
 */
export const equipTenant = async (db: Kysely<Schema>, tenantId: number): Promise<void> => {
  await makeBuiltInRoles(db, tenantId);
  await db.updateTable('tenants').set({ is_link_code_required: true }).where('id', '=', tenantId).execute();
};

/** Makes the roles that every tenant starts with, one for each user type. */
const makeBuiltInRoles = async (db: Kysely<Schema>, tenantId: number): Promise<void> => {
  const roles = userTypes.map((userType) => ({
    tenant_id: tenantId,
    id: newId(),
    name: builtInRoleNames[userType],
    permissions: [...defaultPermissions[userType]],
    built_in_for: userType,
  }));
  await db.insertInto('roles').values(roles).execute();
};
