import { t } from '@radwork/contract/core/translate';
import { reauthenticationNeeded, recentSignInMinutes } from '@radwork/contract/reading/report-parts';
import type { SigningProof } from '@radwork/contract/identity/signing-means';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import { invalid, Problem } from '#core/http/problem.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { atHome, isRecentlySignedIn, ownUser } from '#identity/credentials/own-user.ts';
import { type CodeContext, useCode, WrongCode, wrongCode } from '#identity/credentials/second-factor-code.ts';
import { verifyPassword } from '#identity/credentials/verify-password.ts';
import { mayUsePassword, passwordsAreOff } from '#identity/credentials/password-rule.ts';
import { usePin } from './pin.ts';
import { takeProviderSignIn } from './provider-sign-in.ts';

/** The proof that the signer has typed. */
export type SignerProof = { password?: string | undefined; code?: string | undefined; pin?: string | undefined };

/** The kind of proof, for the audit log, and a step to run in the transaction of the signature. */
export type ProvenSigner = { proof: SigningProof; complete: (scope: Scope) => Promise<void> };

const done = async () => {};

/**
 * Checks the proof that the organization requires: a sign-in within the last minutes, or a proof at each signature.
 * Throws 403 if the proof is missing, 422 by field if it is wrong, and 429 after too many wrong proofs.
 */
export const proveSigner = async (
  context: CodeContext,
  session: Session,
  signerProof: SignerProof,
): Promise<ProvenSigner> => {
  const proof = await context.scopes.inTenant(session, signingProofOf);
  return { proof, complete: await provers[proof](context, session, signerProof) };
};

export const signingProofOf = async ({ db }: Scope): Promise<SigningProof> =>
  (await db.selectFrom('tenants').select('signing_proof').executeTakeFirstOrThrow()).signing_proof;

type Prover = (context: CodeContext, session: Session, signerProof: SignerProof) => Promise<ProvenSigner['complete']>;

const provers: Record<SigningProof, Prover> = {
  RECENT_SIGN_IN: async (context, session, signerProof) => {
    await assertKnownSigner(context, session, signerProof);
    return done;
  },
  PASSWORD: async (context, session, { password }) => {
    if (password) return provenByPassword(context, session, password);
    if (await hasUsablePassword(context, session)) throw proofRequired({ password: t`Enter your password to sign` });
    return settleByProvider;
  },
  PIN: async (context, session, { pin }) => {
    await usePin(context, atHome(session), pin);
    return done;
  },
  CODE: async (context, session, { code }) => {
    if (session.secondFactor !== 'SET') {
      throw invalid({ code: t`Signing requires an authenticator app. Set up a second factor under My account.` });
    }
    if (!code) throw proofRequired({ code: t`Enter the code from your authenticator app to sign` });
    await proveByCode(context, session, code);
    return done;
  },
};

/** Returns the error that asks for a proof. `fields` assigns its message to the field of the proof. */
const proofRequired = (fields: Record<string, string>): Problem =>
  new Problem(403, reauthenticationNeeded, Object.values(fields)[0] ?? '', { fields });

/**
 * Requires a recent sign-in or a proof, because another person may use an open screen. Throws 403 if a password or code
 * is missing, 422 if it is wrong, and 429 after too many wrong proofs. A right proof also counts for the next
 * signatures.
 */
export const assertKnownSigner = async (
  context: CodeContext,
  session: Session,
  { password, code }: SignerProof,
): Promise<void> => {
  const { scopes } = context;
  if (await scopes.inTenant(atHome(session), isRecentlySignedIn)) return;
  if (code && session.secondFactor === 'SET') return proveByCode(context, session, code);
  if (!password) {
    throw new Problem(
      403,
      reauthenticationNeeded,
      session.secondFactor === 'SET'
        ? t`You signed in more than ${recentSignInMinutes} minutes ago. Enter your password or authenticator code to sign.`
        : t`You signed in more than ${recentSignInMinutes} minutes ago. Enter your password to sign.`,
    );
  }
  await provePassword(context, session, password);
};

/**
 * Requires a proof now, even after a recent sign-in. Otherwise another person at an open screen could set a PIN and use
 * this PIN for later signatures.
 */
export const proveNow = async (
  context: CodeContext,
  session: Session,
  { password, code }: SignerProof,
): Promise<ProvenSigner['complete']> => {
  if (code && session.secondFactor === 'SET') {
    await proveByCode(context, session, code);
    return done;
  }
  if (password) return provenByPassword(context, session, password);
  if (await hasUsablePassword(context, session)) {
    throw proofRequired({
      password: session.secondFactor === 'SET' ? t`Enter your password or authenticator code` : t`Enter your password`,
    });
  }
  return settleByProvider;
};

/** Returns whether the account has a password that may be used. Users of single sign-on may have none. */
export const hasUsablePassword = ({ scopes }: Pick<CodeContext, 'scopes'>, session: Session): Promise<boolean> =>
  scopes.inTenant(atHome(session), async (scope) => {
    const { id, password_hash } = await ownUser(scope);
    return password_hash !== null && (await mayUsePassword(scope, id));
  });

/**
 * Uses up the sign-in at the provider, in the transaction of the signature. If the transaction fails, the sign-in can
 * be used for the next attempt.
 */
const settleByProvider = async (scope: Scope): Promise<void> => {
  if (await takeProviderSignIn(scope)) return;
  throw proofRequired({
    password: t`Sign in again at the provider of your organization. Each signature requires a new sign-in.`,
  });
};

const provenByPassword = async (
  context: CodeContext,
  session: Session,
  password: string,
): Promise<ProvenSigner['complete']> => {
  await provePassword(context, session, password);
  return done;
};

const provePassword = async ({ scopes }: CodeContext, caller: Session, password: string): Promise<void> => {
  const session = atHome(caller);
  const { username, subdomain } = await scopes.inTenant(session, ownUser);
  const { address } = session;
  await verifyPassword(scopes, { username, password, subdomain, address }).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.status !== 401) throw error;
    // Throws 422 and not 401, because a 401 would mean that the session has ended.
    throw invalid({ password: error.error === passwordsAreOff ? error.message : t`The password is wrong` });
  });
  await scopes.inTenant(session, noteSignIn);
};

/** Accepts a code of the app. Recovery codes are only for a lost app. */
const proveByCode = async (context: CodeContext, caller: Session, code: string): Promise<void> => {
  const session = atHome(caller);
  const { tenantId, userId, username, address } = session;
  const owner = { tenantId, userId, username, address };
  await useCode(context, owner, code, { takesRecoveryCodes: false }).catch((error: unknown) => {
    throw error instanceof WrongCode ? invalid({ code: wrongCode() }) : error;
  });
  await context.scopes.inTenant(session, noteSignIn);
};

const noteSignIn = async (scope: Scope): Promise<void> => {
  const { db, session } = scope;
  await db
    .updateTable('sessions')
    .set({ authenticated_at: sql`now()` })
    .where('id', '=', session.id)
    .execute();
  await audit(scope, 'session.reauthenticate', { entity: 'session', entityId: session.id });
};
