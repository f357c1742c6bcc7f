import { z } from 'zod';
import { get, post, put } from './endpoint.ts';

/**
 * Acts of another person that could hand over the signature of an account. From then on the account does not sign,
 * approve or acknowledge until it proves itself or a second administrator confirms it (21 CFR 11.200(a)(3): the misuse
 * of a signature takes two people).
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

/** Each completes "by Anna Admin on 2026-11-22". */
export const holdCauseWords: Record<HoldCause, string> = {
  INVITED: 'account created',
  PASSWORD: 'new password requested',
  EMAIL: 'e-mail address changed',
  SECOND_FACTOR: 'second factor reset',
  RIGHTS: 'right to sign given',
  NAME: 'name changed',
  SINGLE_SIGN_ON: 'connected with single sign-on',
};

/** The error of a refused signature. */
export const signingHeld = 'signing.held';

export const signingHold = z.object({
  id: z.string(),
  cause: z.enum(holdCauses),
  placedByName: z.string(),
  placedAt: z.string(),
});
export type SigningHold = z.infer<typeof signingHold>;

export const signingState = z.object({
  /** The unconfirmed acts of other persons on the account, the earliest first. */
  holds: z.array(signingHold),
  /** Whether the organisation lets the account sign all the same. Each signature then says so. */
  isAllowed: z.boolean(),
  /** Whether a code of the account's own authenticator app proves it. */
  canProveByCode: z.boolean(),
  /** The address to which a link can be sent that proves it; null where there is none. */
  proofAddress: z.string().nullable(),
});
export type SigningState = z.infer<typeof signingState>;

export const signingHolds = {
  own: get('/account/signing', { can: 'authenticated', reply: signingState }),
  proveByCode: post('/account/signing/code', {
    can: 'authenticated',
    body: z.object({
      code: z.string().trim().min(1, 'Enter the code of your authenticator app').max(64, 'The code is too long'),
    }),
    reply: signingState,
  }),
  /** Sends a link to the address from before. It works in the session that asked for it. */
  askForMail: post('/account/signing/mail', { can: 'authenticated', reply: z.object({ sentTo: z.string() }) }),
  proveByMail: post('/account/signing/prove', {
    can: 'authenticated',
    body: z.object({ token: z.string().min(1, 'The link is incomplete').max(200, 'The link is incomplete') }),
    reply: signingState,
  }),
  ofUser: get('/users/:id/signing', { can: 'user.manage', reply: signingState }),
  /** A second administrator confirms that the account is in the hands of its owner. */
  confirm: post('/users/:id/signing/confirm', { can: 'user.manage', reply: signingState }),
  tenantRule: get('/tenants/:id/unproven-signing', {
    can: 'tenant.manage',
    reply: z.object({ isAllowed: z.boolean() }),
  }),
  /** For an organisation with one administrator and no mail. */
  setTenantRule: put('/tenants/:id/unproven-signing', {
    can: 'tenant.manage',
    body: z.object({ isAllowed: z.boolean() }),
    reply: z.object({ isAllowed: z.boolean() }),
  }),
};
