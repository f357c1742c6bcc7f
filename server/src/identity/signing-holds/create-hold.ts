import type { Permission } from '@radwork/contract/core/access';
import type { HoldCause } from '@radwork/contract/identity/signing-holds';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import { notify } from '#core/notifications/notify.ts';
import type { Scope } from '#core/access/scope.ts';
import { notifyOwner, type MailContext } from '#identity/credentials/notify-owner.ts';
import { openHolds } from './stored-holds.ts';

/** The rights with which an account signs. */
const signingRights: readonly Permission[] = ['report.finalize', 'report.review', 'critical.manage'];

/** Returns whether a change gives an account a right to sign that it lacked. */
export const gainsSigning = (before: readonly Permission[], after: readonly Permission[]): boolean =>
  signingRights.some((right) => after.includes(right) && !before.includes(right));

type Act = {
  userId: string;
  cause: HoldCause;
  /** The address of the account before this act; empty if another user chose it. */
  addressBefore: string;
  /** The message to the owner. */
  title: string;
  message: string;
  /** The actor, if it is not the caller. */
  by?: { id: string | null; name: string };
};

const consequence = 'You cannot sign, approve or acknowledge until this is confirmed. See My account.';

/**
 * Places a signing hold on an account that another user has changed. Notifies its owner in the application, at its
 * address and at its previous address. Acts of the owner place no hold, except a new name.
 */
export const placeHold = async (scope: Scope, ways: MailContext, { userId, cause, by, ...act }: Act): Promise<void> => {
  const { db, session } = scope;
  const actor = by ?? { id: session.userId === '' ? null : session.userId, name: session.name || session.username };
  if (actor.id === userId && cause !== 'NAME') return;
  const [first] = await openHolds(scope, userId);
  // An address that was changed before this act was confirmed proves nothing.
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
  const message = `${act.message} ${consequence}`.trim();
  // An invited user gets one mail, the invitation.
  if (cause === 'INVITED') {
    return notify(scope, { to: [userId], type: 'ACCOUNT', title, message, link: '/account' });
  }
  await notifyOwner(scope, ways, userId, { title, message, alsoTo: [addressBefore, act.addressBefore] });
};

/** Places a hold on a new account. Its maker chose name and address, so neither proves its owner. */
export const placeHoldOnNewUser = (scope: Scope, ways: MailContext, userId: string): Promise<void> =>
  placeHold(scope, ways, {
    userId,
    cause: 'INVITED',
    addressBefore: '',
    title: 'Your account is new',
    message: 'A second administrator must confirm that it is yours.',
  });
