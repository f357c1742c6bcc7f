import { t } from '@radwork/contract/core/translate';
import { Problem } from '#core/http/problem.ts';

/** Runs a statement that sets a username. Throws 409 at the field if another user of the tenant has that username. */
export const unlessTaken = async (statement: { execute: () => Promise<unknown> }): Promise<void> => {
  try {
    await statement.execute();
  } catch (error) {
    if (!(error instanceof Error && 'constraint' in error && error.constraint === 'users_username')) throw error;
    const words = t`This username is taken in your organization`;
    throw new Problem(409, 'user.taken', words, { fields: { username: words } });
  }
};
