import { type HoldCause, holdCauseWords, type SigningState } from '@radwork/contract/identity/signing-holds';
import { sql } from 'kysely';
import { localMinute } from '#core/values/local-minute.ts';
import type { ReadingScope, Scope } from '#core/access/scope.ts';
import { removeMeansSetDuringHolds } from './forget-means.ts';

export type OpenHold = {
  id: string;
  cause: HoldCause;
  placed_by: string | null;
  placed_by_name: string;
  placed_at: string;
  address_before: string;
};

/** Returns the open holds of an account, earliest first. */
export const openHolds = async ({ db }: ReadingScope, userId: string): Promise<OpenHold[]> => {
  if (userId === '') return [];
  const rows = await db
    .selectFrom('signing_holds')
    .select(['id', 'cause', 'placed_by', 'placed_by_name', 'placed_at', 'address_before'])
    .where('user_id', '=', userId)
    .where('lifted_at', 'is', null)
    .orderBy('placed_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, cause: row.cause as HoldCause }));
};

export type LiftMethod = 'SECOND_FACTOR' | 'MAIL' | 'CONFIRMED';

/**
 * Lifts only these holds; a hold that is placed at the same time stays. Returns whether a signature or PIN that was set
 * during the holds was removed.
 */
export const liftHolds = async (scope: Scope, ids: readonly string[], how: LiftMethod): Promise<boolean> => {
  if (ids.length === 0) return false;
  const { db, session } = scope;
  await db
    .updateTable('signing_holds')
    .set({ lifted_at: sql`now()`, lifted_how: how, lifted_by: session.userId === '' ? null : session.userId })
    .where('id', 'in', ids)
    .where('lifted_at', 'is', null)
    .execute();
  return removeMeansSetDuringHolds(scope, ids);
};

/** Returns whether the second factor of the account is older than its first open hold. */
export const hasEarlierFactor = async (
  { db }: ReadingScope,
  userId: string,
  [first]: readonly OpenHold[],
): Promise<boolean> => {
  if (!first) return false;
  const factor = await db
    .selectFrom('second_factors')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('confirmed_at', '<', first.placed_at)
    .executeTakeFirst();
  return factor !== undefined;
};

/** Returns whether the organization allows accounts with an open hold to sign. */
export const maySignUnproven = async ({ db }: ReadingScope): Promise<boolean> => {
  const row = await db.selectFrom('tenants').select('may_sign_unproven').executeTakeFirst();
  return row?.may_sign_unproven ?? false;
};

/**
 * Returns how an account can prove its identity. All open holds have the same address, the one from before the first
 * hold (`placeHold`). An address that another user chose thus proves nothing.
 */
export const stateOf = async (scope: ReadingScope, userId: string, canSendMail: boolean): Promise<SigningState> => {
  const holds = await openHolds(scope, userId);
  return {
    holds: holds.map(({ id, cause, placed_by_name, placed_at }) => ({
      id,
      cause,
      placedByName: placed_by_name,
      placedAt: placed_at,
    })),
    isAllowed: await maySignUnproven(scope),
    canProveByCode: !isByOwner(holds, userId) && (await hasEarlierFactor(scope, userId, holds)),
    proofAddress: (canSendMail && !isByOwner(holds, userId) && provableAddress(holds)) || null,
  };
};

/** Returns whether the user of the account placed a hold. That user cannot confirm it. */
export const isByOwner = (holds: readonly OpenHold[], userId: string): boolean =>
  holds.some(({ placed_by }) => placed_by === userId);

/** Returns the address that proves every open hold. Undefined if the holds have different addresses. */
export const provableAddress = (holds: readonly OpenHold[]): string | undefined => {
  const addresses = new Set(holds.map(({ address_before }) => address_before));
  const [address] = addresses;
  return addresses.size === 1 && address !== '' ? address : undefined;
};

/** Describes holds for a signature and the audit log: "new password requested by Anna Admin on 2026-11-22 10:00". */
export const describeHolds = (holds: readonly OpenHold[], timeZone: string): string =>
  holds
    .map(
      ({ cause, placed_by_name, placed_at }) =>
        `${holdCauseWords[cause]} by ${placed_by_name} on ${localMinute(placed_at, timeZone)}`,
    )
    .join('; ');
