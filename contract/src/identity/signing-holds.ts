import { t, translated } from '../core/translate.ts';
import { z } from 'zod';
import { get, post, put, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

/**
 * Changes by another user that could give that user control of the account's signature. The account then cannot sign,
 * approve or acknowledge. First the owner must prove the account, or a second administrator must confirm it. 21 CFR
 * 11.200(a)(3): misuse of a signature must require two people.
 */
export const holdCauses = [
  'INVITED',
  'PASSWORD',
  'EMAIL',
  'SECOND_FACTOR',
  'RIGHTS',
  'NAME',
  'SINGLE_SIGN_ON',
] as const;
export type HoldCause = (typeof holdCauses)[number];

/** Beginning of a sentence that ends with "... by Anna Admin on 2026-11-22". */
export const holdCauseWords: Record<HoldCause, string> = translated({
  INVITED: 'account created',
  PASSWORD: 'new password requested',
  EMAIL: 'e-mail address changed',
  SECOND_FACTOR: 'second factor reset',
  RIGHTS: 'permission to sign granted',
  NAME: 'name changed',
  SINGLE_SIGN_ON: 'linked to single sign-on',
});

/** Error code of a signature refused because of a signing hold. */
export const signingHeld = 'signing.held';

export const signingHold = z.object({
  id: z.string(),
  cause: z.enum(holdCauses),
  placedByName: z.string(),
  placedAt: z.string(),
});
export type SigningHold = z.infer<typeof signingHold>;

export const signingState = z.object({
  /** Unconfirmed changes of the account by other users, oldest first. */
  holds: z.array(signingHold),
  /** Whether the organization lets the account sign in spite of the hold. Each signature then mentions the hold. */
  isAllowed: z.boolean(),
  /** Whether a code of the account's own authenticator app is accepted as proof. */
  canProveByCode: z.boolean(),
  /** E-mail address for a link that proves the account; null if there is none. */
  proofAddress: z.string().nullable(),
});
export type SigningState = z.infer<typeof signingState>;

export const signingHolds = {
  own: get('/account/signing', { can: 'authenticated', audited: notAudited.own, reply: signingState }),
  proveByCode: post('/account/signing/code', {
    can: 'authenticated',
    audited: 'signing.release',
    body: z.object({
      code: z
        .string()
        .trim()
        .min(1, { error: () => t`Enter the code from your authenticator app` })
        .max(64, { error: () => t`The code is too long` }),
    }),
    reply: signingState,
  }),
  /**
   * Sends a link to the e-mail address that the account had before the change. The link works only in the session that
   * requested it.
   */
  askForMail: post('/account/signing/mail', {
    can: 'authenticated',
    audited: 'signing.ask',
    reply: z.object({ sentTo: z.string() }),
  }),
  proveByMail: post('/account/signing/prove', {
    can: 'authenticated',
    audited: 'signing.release',
    body: z.object({
      token: z
        .string()
        .min(1, { error: () => t`The link is incomplete` })
        .max(200, { error: () => t`The link is incomplete` }),
    }),
    reply: signingState,
  }),
  ofUser: get('/users/:id/signing', { can: 'user.manage', audited: notAudited.noPatient, reply: signingState }),
  /** A second administrator confirms that the right person controls the account. */
  confirm: post('/users/:id/signing/confirm', { can: 'user.manage', audited: 'signing.release', reply: signingState }),
  tenantRule: get('/tenants/:id/unproven-signing', {
    can: 'tenant.manage',
    audited: notAudited.noPatient,
    reply: z.object({ isAllowed: z.boolean() }),
  }),
  /** Setting for an organization that has one administrator and cannot send mail. */
  setTenantRule: put('/tenants/:id/unproven-signing', {
    can: 'tenant.manage',
    audited: 'tenant.update',
    body: z.object({ isAllowed: z.boolean() }),
    reply: z.object({ isAllowed: z.boolean() }),
  }),
};

export const noun = {
  calls: [signingHolds],
  actions: {
    'Sign-in and permissions': {
      'signing.hold': 'Placed signing hold',
      'signing.release': 'Lifted signing hold',
      'signing.ask': 'Requested link to prove account',
    },
  },
} as const satisfies Noun;
