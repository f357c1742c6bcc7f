import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import {
  mostSavedViews,
  type SavedView,
  type SavedViewOwner,
  type savedViews as endpoints,
} from '@radwork/contract/imaging/saved-views';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import { lockedOrder, writeOrder } from '#core/values/ordered-rows.ts';
import { conflict, forbidden, invalid } from '#core/http/problem.ts';
import { hasPermission, type Scope } from '#core/access/scope.ts';
import { deleteViewsOfGroup, usableViewById, viewById, viewsOf } from './saved-view-rows.ts';

/**
 * Saves a view at a place, by default the last. Throws 403 when the caller may not save this kind, 409 when the owner has
 * the most views, and 422 for an unknown group.
 */
export const create = async (
  scope: Scope,
  { owner, groupId, at, isDefault, name, search }: Body<typeof endpoints.create>,
): Promise<SavedView> => {
  assertMaySave(scope, owner);
  if (groupId !== undefined) await assertGroup(scope, groupId);
  const ownerId = ownerIdOf(scope, owner, groupId);
  const known = await lockedOrder(scope, 'saved_views', ownerId);
  const most = mostSavedViews[owner];
  if (known.length >= most) {
    throw conflict('saved_view.full', t`There are already ${most} saved views. Delete one first.`);
  }
  const id = newId();
  await scope.db
    .insertInto('saved_views')
    .values({
      id,
      owner_kind: owner,
      owner_id: ownerId,
      position: known.length,
      name,
      search: JSON.stringify(search),
      updated_by: scope.session.name,
    })
    .execute();
  await writeOrder(scope, 'saved_views', known.toSpliced(at ?? known.length, 0, id));
  const created = await viewById(scope, id);
  if (isDefault && created.group?.isOwn === false) {
    throw invalid({ isDefault: t`Only members of the group can open the list with this view` });
  }
  if (isDefault) await storeDefault(scope, id);
  await noteChange(scope, 'saved_view.create', created);
  return viewById(scope, id);
};

/** Changes name and search of a view. If another user changed it meanwhile, throws 409 with that user's name. */
export const update = async (
  scope: Scope,
  id: string,
  { revision, name, search }: Body<typeof endpoints.update>,
): Promise<SavedView> => {
  const known = await viewById(scope, id);
  assertMaySave(scope, known.owner);
  const changed = await scope.db
    .updateTable('saved_views')
    .set({
      name,
      search: JSON.stringify(search),
      revision: revision + 1,
      updated_by: scope.session.name,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .returning('id')
    .execute();
  if (changed.length === 0) {
    const { updatedBy } = await viewById(scope, id);
    throw conflict('saved_view.changed', t`${updatedBy} changed the view. Open it again to see the change.`);
  }
  await noteChange(scope, 'saved_view.update', known);
  return viewById(scope, id);
};

/** Moves a view to a place among the views of its owner, from 0. Returns all views that the caller sees. */
export const move = async (scope: Scope, id: string, at: number): Promise<SavedView[]> => {
  const known = await viewById(scope, id);
  assertMaySave(scope, known.owner);
  const order = await lockedOrder(scope, 'saved_views', ownerIdOf(scope, known.owner, known.group?.id));
  const others = order.filter((other) => other !== id);
  await writeOrder(scope, 'saved_views', others.toSpliced(at, 0, id));
  await noteChange(scope, 'saved_view.move', known);
  return viewsOf(scope);
};

/** Sets or clears the view with which the caller's study list opens. */
export const setDefault = async (scope: Scope, id: string, isDefault: boolean): Promise<SavedView[]> => {
  await usableViewById(scope, id);
  if (isDefault) await storeDefault(scope, id);
  else {
    await scope.db
      .deleteFrom('default_saved_views')
      .where('user_id', '=', scope.session.userId)
      .where('view_id', '=', id)
      .execute();
  }
  await announce(scope, { kind: 'saved-views' }, [scope.session.userId]);
  return viewsOf(scope);
};

const storeDefault = async ({ db, session }: Scope, viewId: string): Promise<void> => {
  await db
    .insertInto('default_saved_views')
    .values({ user_id: session.userId, view_id: viewId })
    .onConflict((known) => known.columns(['tenant_id', 'user_id']).doUpdateSet({ view_id: viewId }))
    .execute();
};

export const remove = async (scope: Scope, id: string): Promise<void> => {
  const known = await viewById(scope, id);
  assertMaySave(scope, known.owner);
  await scope.db.deleteFrom('saved_views').where('id', '=', id).execute();
  await noteChange(scope, 'saved_view.delete', known);
};

/** Deletes the views of a group that is being deleted, with one audit entry each. */
export const removeViewsOfGroup = async (scope: Scope, groupId: string): Promise<void> => {
  const removed = await deleteViewsOfGroup(scope, groupId);
  for (const { id, name } of removed) {
    const detail = { owner: 'GROUP', group: groupId, name };
    await audit(scope, 'saved_view.delete', { entity: 'saved_view', entityId: id, detail });
  }
  if (removed.length > 0) await announce(scope, { kind: 'saved-views' });
};

const ownerIdOf = ({ session }: Scope, owner: SavedViewOwner, groupId: string | undefined): string | null => {
  if (owner === 'ORGANIZATION') return null;
  return owner === 'GROUP' ? (groupId ?? null) : session.userId;
};

/** Throws 422 for an unknown group. Keeps the group until the transaction ends. */
const assertGroup = async ({ db }: Scope, groupId: string): Promise<void> => {
  const group = await db.selectFrom('groups').select('id').where('id', '=', groupId).forShare().executeTakeFirst();
  if (!group) throw invalid({ groupId: t`Choose groups of this organization` });
};

/** Audits a change, and refreshes the views of the users whom it concerns. */
const noteChange = async (
  scope: Scope,
  action: string,
  { id, owner, group }: Pick<SavedView, 'id' | 'owner' | 'group'>,
): Promise<void> => {
  const detail = { owner, ...(group && { group: group.id }) };
  await audit(scope, action, { entity: 'saved_view', entityId: id, detail });
  await announce(scope, { kind: 'saved-views' }, owner === 'USER' ? [scope.session.userId] : undefined);
};

/** Users who view studies save own views. Users who manage the configuration save those of groups and the organization. */
const assertMaySave = ({ session }: Scope, owner: SavedViewOwner): void => {
  if (owner !== 'USER' && !hasPermission(session, 'config.manage')) throw forbidden();
};
