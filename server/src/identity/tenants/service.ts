import { builtInRoleNames, defaultPermissions, userTypes } from '@radwork/contract/core/access';
import type { Kysely } from 'kysely';
import type { Database, Schema } from '#core/database/database.ts';
import { newId } from '#core/values/ids.ts';

export type NewTenant = {
  name: string;
  subdomain: string;
  timeZone?: string;
  isReviewRequired?: boolean;
  /** True when every shared report needs a passcode or a birth date. The default is true. */
  isLinkCodeRequired?: boolean;
};

/**
 * Creates a tenant with its built-in roles, one for each user type. Needs the connection of the database owner, because
 * no scope contains a new tenant.
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
 * Creates the roles of a new tenant, and requires codes for its share links. The default of the column (migration 0024)
 * allows links without codes.
 */
export const createTenantDefaults = async (db: Kysely<Schema>, tenantId: number): Promise<void> => {
  await makeBuiltInRoles(db, tenantId);
  await db.updateTable('tenants').set({ is_link_code_required: true }).where('id', '=', tenantId).execute();
};

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
