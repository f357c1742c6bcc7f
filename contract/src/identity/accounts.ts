import { t } from '../core/translate.ts';
import { z } from 'zod';
import { userTypes } from '../core/access.ts';
import { credentials } from './users.ts';
import { del, get, post, put, notAudited, unaudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

export const shortestPassword = 12;
export const longestPassword = 128;

/** A new password. Checks only its length; the server checks more, such as whether the password is common. */
export const newPassword = z
  .string()
  .min(1, { error: () => t`Password is required` })
  .min(shortestPassword, { error: () => t`Use at least ${shortestPassword} characters` })
  .max(longestPassword, { error: () => t`Use at most ${longestPassword} characters` });

/** Returns the hints to show at every field for a new password. */
export const passwordRules = (): string[] => [
  t`${shortestPassword} to ${longestPassword} characters. A few unrelated words work well.`,
  t`Any characters, including spaces. No special characters are required.`,
  t`Not a common password, and not your name, e-mail address or organization.`,
];

const currentPassword = z
  .string()
  .min(1, { error: () => t`Enter your password` })
  .max(256, { error: () => t`Password is too long` });

/** Six digits of an authenticator app, or a recovery code. Spaces and hyphens are ignored. */
export const secondFactorCode = z
  .string()
  .trim()
  .min(1, { error: () => t`Enter the code from your authenticator app` })
  .max(64, { error: () => t`The code is too long` });

/** Values of the setting that decides which users must set up a second factor. */
export const secondFactorPolicies = ['OPTIONAL', 'ADMINISTRATORS', 'EVERYBODY'] as const;
export type SecondFactorPolicy = (typeof secondFactorPolicies)[number];

/**
 * `secondFactorRequired`: error after a correct password when a code is still missing. `secondFactorMissing`: error of
 * every call until the user has set up a required second factor.
 */
export const secondFactorRequired = 'session.second_factor';
export const secondFactorMissing = 'session.second_factor_needed';

export const howManyRecoveryCodes = 10;

const profile = z.object({
  name: z
    .string()
    .trim()
    .min(1, { error: () => t`Name is required` })
    .max(120, { error: () => t`Name is too long` }),
  email: z
    .string()
    .trim()
    .max(254, { error: () => t`E-mail address is too long` })
    .pipe(z.email({ error: () => t`Enter an e-mail address` })),
  specialization: z
    .string()
    .trim()
    .max(120, { error: () => t`Specialization is too long` }),
  department: z
    .string()
    .trim()
    .max(120, { error: () => t`Department is too long` }),
});

/**
 * Fields that users can change in their own account. A change of the e-mail address requires the password, because
 * password links go to this address.
 */
export const accountForm = profile.extend({
  /** If these fields are missing, the stored values stay unchanged. */
  credentials: credentials.optional(),
  currentPassword: z
    .string()
    .max(256, { error: () => t`Password is too long` })
    .optional(),
  revision: z.number().int().positive(),
});
export type AccountForm = z.infer<typeof accountForm>;

export const accountReply = profile.extend({
  email: z.string(),
  credentials: z.string(),
  id: z.string(),
  username: z.string(),
  userType: z.enum(userTypes),
  organization: z.string(),
  roles: z.array(z.string()),
  revision: z.number(),
  lastLoginAt: z.string().nullable(),
  /** False for a user who has no password and signs in through single sign-on. */
  hasPassword: z.boolean(),
  secondFactor: z.object({
    isSet: z.boolean(),
    since: z.string().nullable(),
    recoveryCodesLeft: z.number(),
    /** Whether the organization requires a second factor. The user then cannot turn it off. */
    isRequired: z.boolean(),
  }),
});
export type Account = z.infer<typeof accountReply>;

/** A session of the user, as shown on the account screen. */
export const accountSession = z.object({
  id: z.string(),
  /** Device such as "Firefox on Windows". */
  device: z.string(),
  address: z.string(),
  since: z.string(),
  /** Time of the last use; null for the current session. */
  lastSeenAt: z.string().nullable(),
  isCurrent: z.boolean(),
});
export type AccountSession = z.infer<typeof accountSession>;

export const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

const passwordAndCode = z.object({ currentPassword: currentPassword.optional(), code: secondFactorCode });

export const account = {
  read: get('/account', { can: 'authenticated', audited: notAudited.own, isForEnrolling: true, reply: accountReply }),
  save: put('/account', { can: 'authenticated', audited: 'user.update_own', body: accountForm, reply: accountReply }),
  sessions: get('/account/sessions', { can: 'authenticated', audited: notAudited.own, reply: z.array(accountSession) }),
  /** Ends the caller's other sessions, or all sessions. */
  endSessions: post('/account/sessions/end', {
    can: 'authenticated',
    audited: 'session.end_all',
    body: z.object({ which: z.enum(['OTHERS', 'ALL']) }),
    reply: z.object({ ended: z.number() }),
    endsSession: true,
  }),
  endSession: del('/account/sessions/:id', { can: 'authenticated', audited: 'session.end' }),
  /** Changes the caller's own password and ends all other sessions. */
  changePassword: put('/users/:id/password', {
    can: 'authenticated',
    audited: 'password.change',
    body: z.object({ currentPassword, newPassword }),
  }),
  /** Creates a key for an authenticator app. The key becomes active with `confirmSecondFactor`. */
  beginSecondFactor: post('/account/second-factor', {
    can: 'authenticated',
    audited: unaudited('shows a secret to its owner; it takes effect when confirmed'),
    isForEnrolling: true,
    body: z.object({ currentPassword: currentPassword.optional() }),
    reply: z.object({ key: z.string(), uri: z.string() }),
  }),
  confirmSecondFactor: post('/account/second-factor/confirm', {
    can: 'authenticated',
    audited: 'second_factor.enrol',
    isForEnrolling: true,
    body: z.object({ code: secondFactorCode }),
    reply: recoveryCodes,
  }),
  removeSecondFactor: post('/account/second-factor/remove', {
    can: 'authenticated',
    audited: 'second_factor.remove',
    body: passwordAndCode,
  }),
  renewRecoveryCodes: post('/account/second-factor/recovery-codes', {
    can: 'authenticated',
    audited: 'second_factor.renew_codes',
    body: passwordAndCode,
    reply: recoveryCodes,
  }),
  /**
   * Removes the second factor of a user who has lost it. Until the user sets up another, the password alone is enough.
   */
  resetSecondFactor: post('/users/:id/reset-second-factor', { can: 'user.manage', audited: 'second_factor.reset' }),
};

const linkToken = z
  .string()
  .min(1, { error: () => t`The link is incomplete` })
  .max(200, { error: () => t`The link is incomplete` });

export const passwordLinks = {
  /** Returns the account to which a link belongs. 404 if the link is unknown, used, replaced or expired. */
  check: post('/auth/password-links/check', {
    can: 'public',
    audited: unaudited('checks whether a link works before its use'),
    body: z.object({ token: linkToken }),
    reply: z.object({ username: z.string(), organization: z.string(), purpose: z.enum(['INVITE', 'RESET']) }),
  }),
  use: post('/auth/password-links/use', {
    can: 'public',
    audited: 'password.set',
    body: z.object({ token: linkToken, password: newPassword }),
    reply: z.object({ username: z.string(), subdomain: z.string() }),
  }),
  /**
   * Sends a link to the e-mail address of the account, if the account exists. The response does not tell whether the
   * account exists.
   */
  forgot: post('/auth/forgot-password', {
    can: 'public',
    audited: 'password.forget',
    body: z.object({
      username: z
        .string()
        .trim()
        .min(1, { error: () => t`Username is required` })
        .max(64, { error: () => t`Username is too long` }),
    }),
  }),
  /** Facts that the sign-in screen needs. */
  facts: get('/auth/facts', {
    can: 'public',
    audited: notAudited.noPatient,
    reply: z.object({ canSendMail: z.boolean() }),
  }),
};

export const noun = {
  calls: [account, passwordLinks],
  actions: {
    'Sign-in and permissions': {
      'session.end_all': 'Signed out other sessions',
      'password.change': 'Changed password',
      'password.set': 'Set password by link',
      'password.forget': 'Requested password link',
      'second_factor.enrol': 'Set up second factor',
      'second_factor.remove': 'Removed second factor',
      'second_factor.renew_codes': 'Renewed recovery codes',
      'second_factor.reset': 'Reset second factor of user',
      'second_factor.recover': 'Used recovery code',
      'second_factor.refuse': 'Entered wrong second factor',
      'second_factor.lock': 'Locked second factor',
    },
    'Users and organization': {
      'user.update_own': 'Edited own profile',
    },
  },
} as const satisfies Noun;
