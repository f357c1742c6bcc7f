import { sentence, t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import type { SigningMeans, signingMeansCalls } from '@radwork/contract/identity/signing-means';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { hashPassword } from '#core/access/passwords.ts';
import { invalid, notFound, SessionEnded } from '#core/http/problem.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { atHome, ownUser } from '#identity/credentials/own-user.ts';
import { notifyOwner, type MailContext } from '#identity/credentials/notify-owner.ts';
import { acceptSignature } from './signature.ts';
import { assertMaySign } from '#identity/signing-holds/assert-may-sign.ts';
import { lockOwner } from '#identity/signing-holds/forget-means.ts';
import { assertKnownSigner, hasUsablePassword, proveNow, signingProofOf } from './prove-signer.ts';
import { dropPicture, dropPin, savedPicture, storedPin, storePicture, storePin } from './stored-means.ts';

/** The caller's own signature and PIN. */

type Parts = Pick<Context, 'config' | 'scopes' | 'sessions' | 'vault'>;
type Calls = typeof signingMeansCalls;

export const readMeans = async (context: Parts, caller: Session): Promise<SigningMeans> => {
  const { scopes, vault } = context;
  const proof = await scopes.inTenant(caller, signingProofOf);
  const hasPassword = await hasUsablePassword(context, caller);
  return scopes.inTenant(atHome(caller), async (scope) => {
    const { name, credentials } = await ownUser(scope);
    const pin = await storedPin(scope, vault);
    return {
      proof,
      signer: { name, credentials },
      hasPassword,
      hasSecondFactor: caller.secondFactor === 'SET',
      pinSince: pin?.hash === undefined ? null : pin.since,
      savedSignature: await savedPicture(scope, vault),
    };
  });
};

/**
 * Refuses an account on hold, and a call whose session has ended. When the real user lifts the hold, the other sessions
 * of the account end.
 */
const assertMayKeep = async (scope: Scope): Promise<void> => {
  const { db, session } = scope;
  await lockOwner(scope, session.userId);
  await assertMaySign(scope);
  const own = db.selectFrom('sessions').select('id').where('id', '=', session.id);
  if (!(await own.where('revoked_at', 'is', null).executeTakeFirst())) throw new SessionEnded();
};

/**
 * Stores a signature and notifies its user. Refuses an account on hold, because another person may use it. If the
 * organization allows such accounts to sign, the stored signature is removed when the hold ends
 * (removeMeansSetDuringHolds).
 */
export const storeSignature = async (scope: Scope, context: MailContext, picture: string): Promise<void> => {
  const { userId } = scope.session;
  await assertMayKeep(scope);
  await storePicture(scope, context.vault, picture);
  await audit(scope, 'saved_signature.save', { entity: 'user', entityId: userId });
  await notifyOwner(scope, context, userId, {
    title: sentence`Your signature was saved`,
    message: sentence`You can use it for your next signatures. See My account.`,
  });
};

export const saveSignature = async (
  context: Parts,
  caller: Session,
  { signatureData, ...signerProof }: Body<Calls['saveSignature']>,
): Promise<SigningMeans> => {
  await assertKnownSigner(context, caller, signerProof);
  const picture = await acceptSignature(signatureData);
  if (picture === null) throw invalid({ signatureData: t`Signature is required` });
  await context.scopes.inTenant(atHome(caller), (scope) => storeSignature(scope, context, picture));
  return readMeans(context, caller);
};

export const removeSignature = async (
  context: Parts,
  caller: Session,
  signerProof: Body<Calls['removeSignature']>,
): Promise<SigningMeans> => {
  await assertKnownSigner(context, caller, signerProof);
  await context.scopes.inTenant(atHome(caller), async (scope) => {
    const { userId } = scope.session;
    if (!(await dropPicture(scope))) throw notFound('saved signature');
    await audit(scope, 'saved_signature.remove', { entity: 'user', entityId: userId });
    await notifyOwner(scope, context, userId, {
      title: sentence`Your saved signature was removed`,
      message: sentence`Draw a new signature under My account.`,
    });
  });
  return readMeans(context, caller);
};

export const setPin = async (
  context: Parts,
  caller: Session,
  { pin, ...signerProof }: Body<Calls['setPin']>,
): Promise<SigningMeans> => {
  const settle = await proveNow(context, caller, signerProof);
  const hash = await hashPassword(pin);
  await context.scopes.inTenant(atHome(caller), async (scope) => {
    const { userId } = scope.session;
    await settle(scope);
    await assertMayKeep(scope);
    await storePin(scope, context.vault, hash);
    await audit(scope, 'signing_pin.set', { entity: 'user', entityId: userId });
    await notifyOwner(scope, context, userId, {
      title: sentence`Your signing PIN was set`,
      message: sentence`It signs reports where your organization requires it.`,
    });
  });
  return readMeans(context, caller);
};

export const removePin = async (
  context: Parts,
  caller: Session,
  signerProof: Body<Calls['removePin']>,
): Promise<SigningMeans> => {
  const settle = await proveNow(context, caller, signerProof);
  await context.scopes.inTenant(atHome(caller), async (scope) => {
    const { userId } = scope.session;
    await settle(scope);
    if (!(await dropPin(scope))) throw notFound('signing PIN');
    await audit(scope, 'signing_pin.remove', { entity: 'user', entityId: userId });
    await notifyOwner(scope, context, userId, {
      title: sentence`Your signing PIN was removed`,
      message: sentence`Set a new PIN under My account.`,
    });
  });
  return readMeans(context, caller);
};
