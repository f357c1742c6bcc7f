import { inRow, type Sentence, sentence, t } from '@radwork/contract/core/translate';
import { randomBytes } from 'node:crypto';
import type { Body, Reply } from '@radwork/contract/core/endpoint';
import type { signingHolds as endpoints, SigningState } from '@radwork/contract/identity/signing-holds';
import { refuseManaging } from '@radwork/contract/identity/user-rights';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { newId } from '#core/values/ids.ts';
import { queueMail } from '#core/notifications/mail.ts';
import { conflict, forbidden, invalid, Problem, tooMany } from '#core/http/problem.ts';
import { inLanguage } from '#core/http/request-language.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { hashOfToken } from '#core/access/sessions.ts';
import { atHome, ownUser } from '#identity/credentials/own-user.ts';
import { useCode, WrongCode, wrongCode } from '#identity/credentials/second-factor-code.ts';
import { notifyOwner, type MailContext } from '#identity/credentials/notify-owner.ts';
import { assertNot, beginManaging, toManaged } from '#identity/user-records/assert-manageable.ts';
import { userById } from '#identity/user-records/user-rows.ts';
import {
  hasEarlierFactor,
  isByOwner,
  liftHolds,
  type OpenHold,
  openHolds,
  provableAddress,
  stateOf,
  type LiftMethod,
} from './stored-holds.ts';

/** Ways to lift signing holds: a proof that the user who made the change did not have, or a second administrator. */

type Parts = Pick<Context, 'config' | 'scopes' | 'sessions' | 'vault'>;

const canSendMail = ({ config }: Pick<Context, 'config'>): boolean => config.mail !== undefined;

export const ownState = (context: Parts, caller: Session): Promise<SigningState> =>
  context.scopes.inTenant(atHome(caller), (scope) => stateOf(scope, caller.userId, canSendMail(context)));

const lift = async (
  scope: Scope,
  context: MailContext,
  { userId, holds, how }: { userId: string; holds: readonly OpenHold[]; how: LiftMethod },
): Promise<void> => {
  if (holds.length === 0) return;
  const isForgotten = await liftHolds(
    scope,
    holds.map(({ id }) => id),
    how,
  );
  await audit(scope, 'signing.release', { entity: 'user', entityId: userId, detail: { how } });
  await announce(scope, { kind: 'users' });
  const isFree = (await openHolds(scope, userId)).length === 0;
  await notifyOwner(scope, context, userId, {
    title: isFree ? sentence`Your account can sign again` : sentence`A change to your account was confirmed`,
    message: isForgotten ? inRow(liftedWords[how], forgottenWords) : liftedWords[how],
    alsoTo: holds.map(({ address_before }) => address_before),
  });
};

const forgottenWords = sentence`A signature or PIN set in the meantime was removed. Set your own under My account.`;

const liftedWords: Record<LiftMethod, Sentence> = {
  SECOND_FACTOR: sentence`A code from your authenticator app proved the account.`,
  MAIL: sentence`A link sent to your e-mail address proved the account.`,
  CONFIRMED: sentence`A second administrator confirmed the account.`,
};

/** Proves the account by a second factor that is older than all holds. Recovery codes do not count. */
export const proveByCode = async (
  context: Parts,
  caller: Session,
  { code }: Body<typeof endpoints.proveByCode>,
): Promise<SigningState> => {
  const { scopes, sessions } = context;
  const session = atHome(caller);
  const { userId, tenantId, username, address } = session;
  const before = await scopes.inTenant(session, (scope) => provenByFactor(scope, userId));
  if (before.length === 0) throw noSuchWay();
  await useCode(context, { tenantId, userId, username, address }, code, { takesRecoveryCodes: false }).catch(
    (error: unknown) => {
      throw error instanceof WrongCode ? invalid({ code: wrongCode() }) : error;
    },
  );
  return scopes.inTenant(session, async (scope) => {
    // Reads the holds again, because the factor may have been reset after the code was checked.
    await lift(scope, context, { userId, holds: await provenByFactor(scope, userId), how: 'SECOND_FACTOR' });
    await sessions.endAllOf(scope, userId, session.id);
    return stateOf(scope, userId, canSendMail(context));
  });
};

const noSuchWay = () =>
  conflict('signing.no_way', t`You cannot confirm your own account. A second administrator must confirm it.`);

/**
 * Returns the holds that the second factor lifts: all open holds, if the factor is older than the first hold and the
 * user placed none of these holds.
 */
const provenByFactor = async (scope: Scope, userId: string): Promise<OpenHold[]> => {
  const holds = await openHolds(scope, userId);
  if (isByOwner(holds, userId)) return [];
  return (await hasEarlierFactor(scope, userId, holds)) ? holds : [];
};

/** Lifts holds after a sign-in with a code of the app, and ends the other sessions of the user. */
export const liftBySignIn = async (
  scope: Scope,
  context: MailContext & Pick<Context, 'sessions'>,
  userId: string,
): Promise<void> => {
  const holds = await provenByFactor(scope, userId);
  if (holds.length === 0) return;
  await lift(scope, context, { userId, holds, how: 'SECOND_FACTOR' });
  await context.sessions.endAllOf(scope, userId);
};

const linksPerHour = 3;
const proofMinutes = 30;

/**
 * Mails a link to the address that the account had before the change. The link works only in the session of the caller.
 */
export const mailProofLink = (context: Parts, caller: Session): Promise<Reply<typeof endpoints.askForMail>> =>
  context.scopes.inTenant(atHome(caller), async (scope) => {
    const { db, session } = scope;
    const { username, organization, locale } = await ownUser(scope);
    await db.selectFrom('users').select('id').where('id', '=', session.userId).forNoKeyUpdate().execute();
    const holds = await openHolds(scope, session.userId);
    const sentTo = isByOwner(holds, session.userId) ? undefined : provableAddress(holds);
    if (!context.config.mail || sentTo === undefined) throw noSuchWay();
    const { asked } = await db
      .selectFrom('signing_proofs')
      .select(({ fn }) => fn.countAll<number>().as('asked'))
      .where('user_id', '=', session.userId)
      .where('created_at', '>', sql<string>`now() - interval '1 hour'`)
      .executeTakeFirstOrThrow();
    if (Number(asked) >= linksPerHour) throw tooMany(t`Three links were sent in the last hour. Try again later.`, 3600);
    const token = randomBytes(32).toString('base64url');
    await db
      .insertInto('signing_proofs')
      .values({
        id: newId(),
        user_id: session.userId,
        session_id: session.id,
        token_hash: hashOfToken(token),
        sent_to: sentTo,
        expires_at: sql`now() + make_interval(mins => ${proofMinutes})`,
      })
      .execute();
    const { publicUrl } = context.config.mail;
    const letter = inLanguage(locale, () => ({
      subject: t`Radwork: confirm your account`,
      text: [
        t`Another user changed your account ${username} at ${organization}. You cannot sign until you confirm that the account is yours.`,
        t`Open this link within ${proofMinutes} minutes, in the browser where you requested it:`,
        `${publicUrl}/account#signing=${token}`,
        t`If you did not request it, do not open it. Contact your administrator at once.`,
      ].join('\n\n'),
    }));
    await queueMail(scope, context, { to: sentTo, ...letter }, proofMinutes);
    await audit(scope, 'signing.ask', { entity: 'user', entityId: session.userId });
    return { sentTo };
  });

const linkGone = () =>
  new Problem(
    404,
    'signing.link',
    t`This link was used, has expired or was requested in another browser. Request a new link.`,
  );

/** Lifts the holds that were open when the link was requested. */
export const proveByMail = (
  context: Parts,
  caller: Session,
  { token }: Body<typeof endpoints.proveByMail>,
): Promise<SigningState> =>
  context.scopes.inTenant(atHome(caller), async (scope) => {
    const { db, session } = scope;
    const used = await db
      .updateTable('signing_proofs')
      .set({ used_at: sql`now()` })
      .where('token_hash', '=', hashOfToken(token))
      .where('user_id', '=', session.userId)
      .where('session_id', '=', session.id)
      .where('used_at', 'is', null)
      .where('expires_at', '>', sql<string>`now()`)
      .returning(['sent_to', 'created_at'])
      .executeTakeFirst();
    if (!used) throw linkGone();
    const holds = await openHolds(scope, session.userId);
    if (isByOwner(holds, session.userId)) throw noSuchWay();
    await lift(scope, context, { userId: session.userId, holds: provenBy(holds, used), how: 'MAIL' });
    await context.sessions.endAllOf(scope, session.userId, session.id);
    return stateOf(scope, session.userId, canSendMail(context));
  });

type ProofMail = { sent_to: string; created_at: string };

/** Returns the holds that were open when a link was sent, and whose previous address received the link. */
const provenBy = (holds: readonly OpenHold[], { sent_to, created_at }: ProofMail): OpenHold[] =>
  sent_to === ''
    ? []
    : holds.filter(
        ({ address_before, placed_at }) =>
          address_before === sent_to && Date.parse(placed_at) <= Date.parse(created_at),
      );

/** Lifts holds after a password was set by a mailed link, because the user can read that mailbox. */
export const liftByMailedLink = async (
  scope: Scope,
  context: MailContext,
  userId: string,
  link: ProofMail,
): Promise<void> => {
  const holds = await openHolds(scope, userId);
  if (isByOwner(holds, userId)) return;
  await lift(scope, context, { userId, holds: provenBy(holds, link), how: 'MAIL' });
};

export const stateOfUser = async (context: Parts, scope: Scope, id: string): Promise<SigningState> =>
  stateOf(scope, (await userById(scope, id)).id, canSendMail(context));

/**
 * Confirms changes to an account by other administrators. Throws 403 if the caller has a hold: the user who placed that
 * hold could act through the caller and confirm the changes. Throws 409 if the caller made all of the changes.
 */
export const confirm = async (context: Parts, caller: Session, id: string): Promise<SigningState> => {
  const isHeld = await context.scopes.inTenant(
    atHome(caller),
    async (scope) => (await openHolds(scope, caller.userId)).length > 0,
  );
  return context.scopes.inTenant(caller, async (scope) => {
    const manager = await beginManaging(scope, 'user.manage');
    const known = await userById(scope, id);
    if (manager.id === id) throw forbidden(t`Another administrator must confirm your account`);
    assertNot(refuseManaging(manager, toManaged(known)));
    if (isHeld) throw forbidden(t`Your own account must be confirmed before you confirm other accounts`);
    const holds = await openHolds(scope, id);
    const others = holds.filter(({ placed_by }) => placed_by !== manager.id);
    if (holds.length > 0 && others.length === 0) {
      throw conflict('signing.same_person', t`You made this change. A second administrator must confirm it.`);
    }
    await lift(scope, context, { userId: id, holds: others, how: 'CONFIRMED' });
    return stateOf(scope, id, canSendMail(context));
  });
};
