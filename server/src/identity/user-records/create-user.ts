import type { UserType } from '@radwork/contract/core/access';
import { newId } from '#core/values/ids.ts';
import { orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';

export type NewUser = {
  username: string;
  name: string;
  email: string;
  userType: UserType;
  /** Null for invited users, who set a password by a link. */
  passwordHash: string | null;
};

/** Creates a user with the built-in role of the user's type. Returns the id. */
export const createUser = async ({ db }: Scope, user: NewUser): Promise<string> => {
  const id = newId();
  await db
    .insertInto('users')
    .values({
      id,
      username: user.username,
      name: user.name,
      email: user.email,
      user_type: user.userType,
      password_hash: user.passwordHash,
    })
    .execute();
  const role = await db.selectFrom('roles').select('id').where('built_in_for', '=', user.userType).executeTakeFirst();
  await db
    .insertInto('user_roles')
    .values({ user_id: id, role_id: orNotFound(role, 'role').id })
    .execute();
  return id;
};
