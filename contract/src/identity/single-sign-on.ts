import { t } from '../core/translate.ts';
import { z } from 'zod';
import { defaultPermissions, type Permission, type UserType } from '../core/access.ts';
import { del, get, post, put, stream, notAudited, unaudited, asReading } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { connectionTest } from '../core/connection-test.ts';
import { signedIn } from './sessions.ts';

/** User types that a claim of the provider can give. No claim can make a user a super administrator. */
export const typesByClaim = ['ADMIN', 'RADIOLOGIST', 'REFERRING_PHYSICIAN'] as const satisfies readonly UserType[];
export type TypeByClaim = (typeof typesByClaim)[number];

/** User types that can be given to users without a matching group. */
export const fallbackTypes = ['RADIOLOGIST', 'REFERRING_PHYSICIAN'] as const satisfies readonly TypeByClaim[];
export type FallbackType = (typeof fallbackTypes)[number];

/** Permissions that only super administrators have. No claim can give them, not even through a role. */
export const neverByClaim: readonly Permission[] = defaultPermissions.SUPER_ADMIN.filter(
  (permission) => !defaultPermissions.ADMIN.includes(permission),
);

/** Permissions that make a user an administrator, whatever the user type. */
const administration: readonly Permission[] = ['user.manage', 'config.manage'];

/** Returns the reason why a claim may not give a role; undefined if it may. */
export const objectionToRole = (permissions: readonly Permission[], isAdminByClaim: boolean): string | undefined => {
  if (permissions.some((permission) => neverByClaim.includes(permission))) {
    return t`Groups cannot give the super administrator role.`;
  }
  return !isAdminByClaim && permissions.some((permission) => administration.includes(permission))
    ? t`This role manages users or settings. Turn on “Groups control administrators” first.`
    : undefined;
};

/**
 * Rule for users with this value in the groups claim: their user type and roles. Without roles, they get the built-in
 * role of the type.
 */
export const groupRule = z.object({
  value: z
    .string()
    .trim()
    .min(1, { error: () => t`Enter the group as the provider sends it` })
    .max(256, { error: () => t`Use at most 256 characters` }),
  userType: z.enum(typesByClaim, { error: () => t`Choose a user type` }),
  roleIds: z.array(z.uuid()).max(20, { error: () => t`Choose at most 20 roles` }),
});
export type GroupRule = z.infer<typeof groupRule>;

const webAddress = z.url({ protocol: /^https?$/, hostname: /./ });

const issuer = z
  .string()
  .trim()
  .max(2000, { error: () => t`Use at most 2,000 characters` })
  .refine((text) => text === '' || (webAddress.safeParse(text).success && !/[?#\\]|^https?:\/\/[^/]*@/i.test(text)), {
    error: () => t`Please enter a valid URL`,
  });

const claim = z
  .string()
  .trim()
  .max(200, { error: () => t`Use at most 200 characters` });
/** Values separated by spaces. One matching value is enough. */
const values = z
  .string()
  .trim()
  .max(500, { error: () => t`Use at most 500 characters` });

const settings = {
  isOn: z.boolean(),
  /** Text on the sign-in button, after "Sign in with". */
  label: z
    .string()
    .trim()
    .max(60, { error: () => t`Use at most 60 characters` }),
  issuer,
  clientId: z
    .string()
    .trim()
    .max(500, { error: () => t`Use at most 500 characters` }),
  scopes: z
    .string()
    .trim()
    .max(500, { error: () => t`Use at most 500 characters` })
    .regex(/^[\x21\x23-\x5b\x5d-\x7e ]*$/, { error: () => t`Separate names with spaces` }),
  usernameClaim: claim.min(1, { error: () => t`Enter the claim with the username` }),
  nameClaim: claim.min(1, { error: () => t`Enter the claim with the name` }),
  emailClaim: claim.min(1, { error: () => t`Enter the claim with the e-mail address` }),
  /** Claim that contains the groups; empty if groups are not used. */
  groupsClaim: claim,
  rules: z.array(groupRule).max(100, { error: () => t`Use at most 100 groups` }),
  /** Whether groups can make users administrators, and later take this away again. */
  isAdminByClaim: z.boolean(),
  /** User type without a matching group; null refuses such users. */
  fallbackType: z.enum(fallbackTypes).nullable(),
  /** Whether the first sign-in creates an account. */
  isEnrolling: z.boolean(),
  /** Whether users who are not administrators may also sign in with a password. */
  isPasswordAllowed: z.boolean(),
  requiredAcr: values,
  requiredAmr: values,
};

type Form = z.infer<z.ZodObject<typeof settings>>;

/** Returns missing or conflicting settings, by field. */
const objectionsTo = (form: Form): Record<string, string> => ({
  ...(form.isOn && form.issuer === '' && { issuer: t`Issuer is required` }),
  ...(form.isOn && form.clientId === '' && { clientId: t`Client ID is required` }),
  ...(form.isOn && form.label === '' && { label: t`Label is required` }),
  ...(!form.scopes.split(' ').includes('openid') && { scopes: t`The scope "openid" is required` }),
  ...(form.groupsClaim === '' && form.rules.length > 0 && { groupsClaim: t`Enter the claim with the groups` }),
  ...(form.isEnrolling &&
    form.fallbackType === null &&
    form.rules.length === 0 && { fallbackType: t`Choose a user type for new users, or add a group` }),
  ...(form.isPasswordAllowed || form.isOn
    ? {}
    : { isPasswordAllowed: t`Passwords can be turned off only while single sign-on is on` }),
  ...Object.fromEntries(
    form.rules.flatMap(({ userType }, index) =>
      userType === 'ADMIN' && !form.isAdminByClaim
        ? [[`rules.${index}.userType`, t`Turn on “Groups control administrators” first`]]
        : [],
    ),
  ),
});

/** Input of the form. If the secret is empty, the stored secret stays, unless it would be sent to another origin. */
export const singleSignOnForm = z
  .object({ ...settings, clientSecret: z.string().max(4096).default(''), revision: z.number().int().min(0) })
  .superRefine((form, context) => {
    for (const [path, message] of Object.entries(objectionsTo(form))) {
      context.addIssue({ code: 'custom', path: path.split('.'), message });
    }
  });
export type SingleSignOnForm = z.output<typeof singleSignOnForm>;

export const providerToTest = z.object({
  issuer: issuer.min(1, { error: () => t`Issuer is required` }),
  clientId: settings.clientId.default(''),
  clientSecret: z.string().max(4096).default(''),
});
export type ProviderToTest = z.output<typeof providerToTest>;

/** Settings for administrators. Secrets are not included, only whether a secret exists. */
export const singleSignOnSettings = z.object({
  ...settings,
  label: z.string(),
  issuer: z.string(),
  revision: z.number(),
  hasClientSecret: z.boolean(),
  /** Redirect URI to enter at the provider. */
  redirectAddress: z.string(),
  /** Roles of the tenant that a group may give. */
  roles: z.array(z.object({ id: z.string(), name: z.string(), objection: z.string().nullable() })),
});
export type SingleSignOnSettings = z.infer<typeof singleSignOnSettings>;

/** A provider identity, linked to a user of the tenant. */
export const userIdentity = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  issuer: z.string(),
  subject: z.string(),
  linkedBy: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
});
export type UserIdentity = z.infer<typeof userIdentity>;

/** Identity of the provider that has no user in this installation. Its sign-in was refused. */
export const ssoArrival = z.object({
  id: z.string(),
  issuer: z.string(),
  subject: z.string(),
  username: z.string(),
  name: z.string(),
  email: z.string(),
  /** Whether a user with this username exists in the tenant. */
  isNameTaken: z.boolean(),
  lastAt: z.string(),
});
export type SsoArrival = z.infer<typeof ssoArrival>;

/** Names of the parameters in the fragment of the sign-in address. Browsers send fragments to no server. */
export const ssoFragment = { ticket: 'sso', failure: 'sso-failure' } as const;

export const singleSignOn = {
  /**
   * Whether the organization has single sign-on. For an unknown organization, the response is the same as for an
   * organization without single sign-on.
   */
  offer: get('/auth/sso', {
    can: 'public',
    audited: notAudited.noPatient,
    query: z.object({ organization: z.string().trim().toLowerCase().max(63).optional() }),
    reply: z.object({ isOn: z.boolean(), subdomain: z.string(), label: z.string() }),
  }),
  /** Exchanges a ticket for a session. Works once, and only in the browser that received the ticket. */
  exchange: post('/auth/sso/exchange', {
    can: 'public',
    audited: 'session.begin',
    body: z.object({ ticket: z.string().min(1).max(200) }),
    reply: signedIn,
  }),
  /** Exchanges the ticket of a repeated sign-in at the provider. The user may then sign. */
  confirm: post('/auth/sso/confirm', {
    can: 'authenticated',
    audited: 'session.reauthenticate',
    body: z.object({ ticket: z.string().min(1).max(200) }),
  }),
  read: get('/single-sign-on', { can: 'config.manage', audited: notAudited.noPatient, reply: singleSignOnSettings }),
  save: put('/single-sign-on', {
    can: 'config.manage',
    audited: 'single_sign_on.update',
    body: singleSignOnForm,
    reply: singleSignOnSettings,
  }),
  /**
   * Tests the metadata of the provider. With a client ID, also tests whether the provider accepts client and secret. If
   * the secret is empty and saving would keep the stored secret, tests the stored secret.
   */
  test: post('/single-sign-on/test', {
    can: 'config.manage',
    audited: asReading('single_sign_on.test', 'single_sign_on'),
    body: providerToTest,
    reply: connectionTest,
  }),
  identities: get('/single-sign-on/identities', {
    can: 'user.manage',
    audited: notAudited.noPatient,
    reply: z.array(userIdentity),
  }),
  unlink: del('/single-sign-on/identities/:identityId', { can: 'user.manage', audited: 'identity.unlink' }),
  arrivals: get('/single-sign-on/arrivals', {
    can: 'user.manage',
    audited: notAudited.noPatient,
    reply: z.array(ssoArrival),
  }),
  link: post('/single-sign-on/arrivals/:arrivalId/link', {
    can: 'user.manage',
    audited: 'identity.link',
    body: z.object({
      username: z
        .string()
        .trim()
        .min(1, { error: () => t`Username is required` })
        .max(64, { error: () => t`Username is too long` }),
    }),
    reply: userIdentity,
  }),
  dismiss: del('/single-sign-on/arrivals/:arrivalId', { can: 'user.manage', audited: 'identity.dismiss' }),
};

/** Redirects to the provider and back. With `again=1`, a signed-in user must sign in again at the provider. */
export const ssoJourney = {
  start: stream(
    'GET',
    '/api/auth/sso/:subdomain/start',
    'public',
    unaudited('redirects to the provider; the result is audited at the end'),
    { hasEffect: true },
  ),
  callback: stream('GET', '/api/auth/sso/callback', 'public', 'session.refuse', { hasEffect: true }),
};

export const noun = {
  calls: [singleSignOn],
  streams: [ssoJourney.start, ssoJourney.callback],
  entities: ['user_identity', 'single_sign_on'],
  actions: {
    'Sign-in and permissions': {
      'session.refuse': 'Failed sign-in',
      'session.reauthenticate': 'Confirmed identity',
      'single_sign_on.update': 'Edited single sign-on',
      'single_sign_on.test': 'Tested single sign-on',
      'identity.link': 'Linked user to single sign-on',
      'identity.unlink': 'Unlinked user from single sign-on',
      'identity.dismiss': 'Dismissed single sign-on request',
      'user.renew': 'Updated permissions at single sign-on',
      'user.keep_last_administrator': 'Preserved last administrator at single sign-on',
    },
  },
} as const satisfies Noun;
