import { newId } from '#core/values/ids.ts';
import type { Person, Tenant, World } from './world.ts';

/** Creates a group of a tenant, as an administrator would. Returns its id. */
export const addGroup = async (
  { inTenant }: Pick<World, 'inTenant'>,
  tenant: Tenant,
  { isLimiting = false, arrivalNames = [] as string[] } = {},
): Promise<string> => {
  const id = newId();
  await inTenant(tenant, ({ db }) =>
    db
      .insertInto('groups')
      .values({ id, name: `Group ${id}`, kind: 'SITE', is_limiting: isLimiting, arrival_names: arrivalNames })
      .execute(),
  );
  return id;
};

/** Makes a user a member of a group. */
export const joinGroup = async (
  { inTenant, context }: Pick<World, 'inTenant' | 'context'>,
  { tenant, userId }: Pick<Person, 'tenant' | 'userId'>,
  groupId: string,
): Promise<void> => {
  await inTenant(tenant, ({ db }) =>
    db.insertInto('group_members').values({ group_id: groupId, user_id: userId }).execute(),
  );
  context.sessions.forget();
};

/** Limits a user to a new group. Returns the id of the group. */
export const limitToNewGroup = async (
  world: Pick<World, 'inTenant' | 'context'>,
  person: Pick<Person, 'tenant' | 'userId'>,
): Promise<string> => {
  const groupId = await addGroup(world, person.tenant, { isLimiting: true });
  await joinGroup(world, person, groupId);
  return groupId;
};

/** Sets the groups of a study. */
export const putInGroups = async (
  { inTenant, context }: Pick<World, 'inTenant' | 'context'>,
  tenant: Tenant,
  studyId: string,
  groupIds: string[],
): Promise<void> => {
  await inTenant(tenant, ({ db }) =>
    db.updateTable('studies').set({ group_ids: groupIds }).where('id', '=', studyId).execute(),
  );
  context.sessions.forgetSight();
};
