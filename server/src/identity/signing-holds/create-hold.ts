import { inRow, type Sentence, sentence } from '@radwork/contract/core/translate';
import type { Permission } from '@radwork/contract/core/access';
import type { HoldCause } from '@radwork/contract/identity/signing-holds';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import { notify } from '#core/notifications/notify.ts';
import type { Scope } from '#core/access/scope.ts';
import { notifyOwner, type MailContext } from '#identity/credentials/notify-owner.ts';
import { openHolds } from './stored-holds.ts';

/** The rights that allow an account to sign. */
const signingRights: readonly Permission[] = ['report.finalize', 'report.review', 'critical.manage'];

/** Returns whether a change gives an account a new right to sign. */
export const gainsSigning = (before: readonly Permission[], after: readonly Permission[]): boolean =>
  signingRights.some((right) => after.includes(right) && !before.includes(right));

type Act = {
  userId: string;
  cause: HoldCause;
  /** The address of the account before this act. Empty if that address was chosen by another user. */
  addressBefore: string;
  /** The message to the user of the account. */
  title: Sentence;
  message?: Sentence;
  /** The user who acted, if it was not the caller. */
  by?: { id: string | null; name: string };
};

const consequence = sentence`You cannot sign, approve or acknowledge until this is confirmed. See My account.`;

/**
 * Places a signing hold on an account that another user has changed. Notifies its user in the application, at the
 * current address and at the previous address. A user's change to the own account places no hold, unless the name
 * changes.
 */
export const placeHold = async (
  scope: Scope,
  context: MailContext,
  { userId, cause, by, ...act }: Act,
): Promise<void> => {
  const { db, session } = scope;
  const actor = by ?? { id: session.userId === '' ? null : session.userId, name: session.name || session.username };
  if (actor.id === userId && cause !== 'NAME') return;
  const [first] = await openHolds(scope, userId);
  // Uses the address from before the first open hold. An address proves nothing if it was changed in an act that is not
  // confirmed yet.
  const addressBefore = first ? first.address_before : act.addressBefore;
  await db
    .insertInto('signing_holds')
    .values({
      id: newId(),
      user_id: userId,
      cause,
      placed_by: actor.id,
      placed_by_name: actor.name,
      address_before: addressBefore,
    })
    .execute();
  await audit(scope, 'signing.hold', { entity: 'user', entityId: userId, detail: { cause } });
  await announce(scope, { kind: 'users' });
  const { title } = act;
  const message = act.message ? inRow(act.message, consequence) : consequence;
  // An invited user receives only one mail, the invitation.
  if (cause === 'INVITED') {
    return notify(scope, { to: [userId], type: 'ACCOUNT', title, message, link: '/account' });
  }
  await notifyOwner(scope, context, userId, { title, message, alsoTo: [addressBefore, act.addressBefore] });
};

/**
 * Places a hold on a new account. The user who created it chose name and address, so neither proves the identity of its
 * user.
 */
export const placeHoldOnNewUser = (scope: Scope, context: MailContext, userId: string): Promise<void> =>
  placeHold(scope, context, {
    userId,
    cause: 'INVITED',
    addressBefore: '',
    title: sentence`Your account is new`,
    message: sentence`A second administrator must confirm that it is yours.`,
  });
