import { t, translated } from '../core/translate.ts';
import { z } from 'zod';
import { get, post, put, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

/**
 * Acts of another user that could give away an account's signature. The account then cannot sign, approve or
 * acknowledge. It must first prove itself, or a second administrator confirms it. 21 CFR 11.200(a)(3): misuse of a
 * signature must require two people.
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

/** Completes "... by Anna Admin on 2026-11-22". */
export const holdCauseWords: Record<HoldCause, string> = translated({
  INVITED: 'account created',
  PASSWORD: 'new password requested',
  EMAIL: 'e-mail address changed',
  SECOND_FACTOR: 'second factor reset',
  RIGHTS: 'permission to sign granted',
  NAME: 'name changed',
  SINGLE_SIGN_ON: 'linked to single sign-on',
});

/** Error of a refused signature. */
export const signingHeld = 'signing.held';

export const signingHold = z.object({
  id: z.string(),
  cause: z.enum(holdCauses),
  placedByName: z.string(),
  placedAt: z.string(),
});
export type SigningHold = z.infer<typeof signingHold>;

export const signingState = z.object({
  /** Unconfirmed acts of other users on the account, oldest first. */
  holds: z.array(signingHold),
  /** True if the organization lets the account sign anyway. Each signature then notes the hold. */
  isAllowed: z.boolean(),
  /** True if a code of the account's own authenticator app proves it. */
  canProveByCode: z.boolean(),
  /** Address for a link that proves the account; null if none. */
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
  /** Sends a link to the earlier address. It works only in the session that requested it. */
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
  /** A second administrator confirms that the owner controls the account. */
  confirm: post('/users/:id/signing/confirm', { can: 'user.manage', audited: 'signing.release', reply: signingState }),
  tenantRule: get('/tenants/:id/unproven-signing', {
    can: 'tenant.manage',
    audited: notAudited.noPatient,
    reply: z.object({ isAllowed: z.boolean() }),
  }),
  /** For an organization with one administrator and no mail. */
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
