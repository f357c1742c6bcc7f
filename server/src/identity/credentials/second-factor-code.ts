import { plural, pluralSentence, sentence, t } from '@radwork/contract/core/translate';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { tooMany } from '#core/http/problem.ts';
import { type Scope, systemSession } from '#core/access/scope.ts';
import type { Vault } from '#core/installation/vault.ts';
import { WrongAttempt } from './sign-in-limits.ts';
import { hashOfRecoveryCode, plainRecoveryCode } from './recovery-codes.ts';
import { notifyOwner } from './notify-owner.ts';
import { stepOf } from './totp.ts';

/** Number of wrong codes after which the factor is locked, and minutes for which it is locked. */
const wrongCodesAtMost = 5;
const lockedMinutes = 15;

export type CodeContext = Pick<Context, 'config' | 'scopes' | 'vault'>;

/** The user of the code, and the address of the call. */
export type Owner = { tenantId: number; userId: string; username: string; address: string };

/** Thrown when a wrong code was tried. `fields` names the field of the code in every form except the sign-in. */
export class WrongCode extends WrongAttempt {}

export const wrongCode = () => t`The code is wrong or already used. Wait for the next code.`;

export const sealedKeyColumn = (tenantId: number, userId: string) => ({
  tenantId,
  table: 'second_factors',
  row: userId,
  column: 'sealed_key',
});

type Outcome = 'RIGHT' | 'WRONG' | { lockedSeconds: number };

/**
 * Accepts a code of the app or, unless turned off, a recovery code. Each code works once, even if it comes twice at the
 * same moment, because calls wait for each other. Throws WrongCode, or 429 while the factor is locked after too many
 * wrong codes.
 */
export const useCode = async (
  context: CodeContext,
  owner: Owner,
  input: string,
  { takesRecoveryCodes = true }: { takesRecoveryCodes?: boolean } = {},
): Promise<void> => {
  const session = { ...systemSession(owner.tenantId, owner.address), username: owner.username };
  // The count of wrong codes is committed before the error is thrown.
  const outcome = await context.scopes.inTenant(session, (scope) =>
    judge(scope, context, owner, input, takesRecoveryCodes),
  );
  if (outcome === 'RIGHT') return;
  if (outcome === 'WRONG') throw new WrongCode(401, 'session.second_factor', wrongCode());
  const minutes = Math.ceil(outcome.lockedSeconds / 60);
  throw tooMany(
    plural(minutes, {
      one: 'Too many wrong codes. Your second factor is locked. Try again in # minute.',
      other: 'Too many wrong codes. Your second factor is locked. Try again in # minutes.',
    }),
    outcome.lockedSeconds,
  );
};

const judge = async (
  scope: Scope,
  context: CodeContext,
  { userId }: Owner,
  input: string,
  takesRecoveryCodes: boolean,
): Promise<Outcome> => {
  const factor = await scope.db
    .selectFrom('second_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  if (!factor) return 'WRONG';
  const lockedSeconds = factor.locked_until ? (Date.parse(factor.locked_until) - Date.now()) / 1000 : 0;
  if (lockedSeconds > 0) return { lockedSeconds: Math.ceil(lockedSeconds) };
  const code = input.replaceAll(/\s/g, '');
  const isRight = /^\d{6}$/.test(code)
    ? await takeStep(scope, context.vault, factor, code)
    : takesRecoveryCodes && (await takeRecoveryCode(scope, context, factor, code));
  return isRight ? 'RIGHT' : countWrong(scope, context, factor);
};

type Factor = {
  tenant_id: number;
  user_id: string;
  sealed_key: string;
  last_step: number;
  wrong_codes: number;
  recovery_salt: Buffer;
};

const takeStep = async ({ db }: Scope, vault: Vault, factor: Factor, code: string): Promise<boolean> => {
  const step = stepOf(vault.open(factor.sealed_key, sealedKeyColumn(factor.tenant_id, factor.user_id)), code);
  if (step === undefined || step <= Number(factor.last_step)) return false;
  await db
    .updateTable('second_factors')
    .set({ last_step: step, wrong_codes: 0, locked_until: null })
    .where('user_id', '=', factor.user_id)
    .execute();
  return true;
};

const takeRecoveryCode = async (scope: Scope, context: CodeContext, factor: Factor, code: string): Promise<boolean> => {
  if (!plainRecoveryCode(code)) return false;
  const { db } = scope;
  const used = await db
    .updateTable('recovery_codes')
    .set({ used_at: new Date().toISOString() })
    .where('user_id', '=', factor.user_id)
    .where('code_hash', '=', await hashOfRecoveryCode(code, factor.recovery_salt))
    .where('used_at', 'is', null)
    .executeTakeFirst();
  if (used.numUpdatedRows === 0n) return false;
  await db
    .updateTable('second_factors')
    .set({ wrong_codes: 0, locked_until: null })
    .where('user_id', '=', factor.user_id)
    .execute();
  await audit(scope, 'second_factor.recover', { entity: 'user', entityId: factor.user_id });
  const remainingCodes = await codesLeft(scope, factor.user_id);
  await notifyOwner(scope, context, factor.user_id, {
    title: sentence`A recovery code was used`,
    message: pluralSentence(remainingCodes, {
      one: 'You have # recovery code left.',
      other: 'You have # recovery codes left.',
    }),
  });
  return true;
};

export const codesLeft = async ({ db }: Scope, userId: string): Promise<number> => {
  const { left } = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(left);
};

const countWrong = async (scope: Scope, context: CodeContext, { user_id, wrong_codes }: Factor): Promise<Outcome> => {
  const isLocked = wrong_codes + 1 >= wrongCodesAtMost;
  const lockedUntil = new Date(Date.now() + lockedMinutes * 60_000).toISOString();
  await scope.db
    .updateTable('second_factors')
    .set(isLocked ? { wrong_codes: 0, locked_until: lockedUntil } : { wrong_codes: wrong_codes + 1 })
    .where('user_id', '=', user_id)
    .execute();
  const subject = { entity: 'user', entityId: user_id, outcome: 'FAILURE' } as const;
  await audit(scope, isLocked ? 'second_factor.lock' : 'second_factor.refuse', subject);
  if (!isLocked) return 'WRONG';
  await notifyOwner(scope, context, user_id, {
    title: sentence`Your second factor is locked for 15 minutes`,
    message: sentence`Five wrong codes were entered with your password or in one of your sessions.`,
  });
  return { lockedSeconds: lockedMinutes * 60 };
};
