import { t } from '../core/translate.ts';
import { z } from 'zod';
import { type Access, hasAccess, permissions, userTypes } from '../core/access.ts';
import { post, unaudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

export const secondFactorStates = ['SET', 'NEEDED', 'NONE'] as const;
export type SecondFactorState = (typeof secondFactorStates)[number];

export const sessionUser = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  email: z.string(),
  userType: z.enum(userTypes),
  /** SET: the user has a second factor. NEEDED: the user must set it up before any other call. */
  secondFactor: z.enum(secondFactorStates).optional(),
  /**
   * Whether the account has a signing hold: another user has changed it, and the change must be confirmed first
   * (signing-holds.ts).
   */
  isHeld: z.boolean().optional(),
});

export const sessionTenant = z.object({ name: z.string(), subdomain: z.string() });

export const sessionRole = z.object({
  name: z.string(),
  permissions: z.array(z.object({ name: z.enum(permissions) })),
});

/** Messages about ended sessions, by error code. */
export const sessionEnds = {
  'session.user_inactive': () => t`Your account was deactivated. Contact your administrator.`,
  'session.tenant_suspended': () => t`Your organization is suspended. Contact the operator of this installation.`,
  'session.revoked': () => t`Your permissions or password changed, or this session was ended. Sign in again.`,
  'session.expired': () => t`You were signed out after a period of inactivity. Sign in again.`,
} as const;
export type SessionEnd = keyof typeof sessionEnds;
export const isSessionEnd = (code: string): code is SessionEnd => Object.hasOwn(sessionEnds, code);

/** Session data in the browser. `token` and `textKey` are secret. */
export const signedIn = z.object({
  token: z.string(),
  /**
   * Key that encrypts unsaved texts in the browser: 32 bytes in hexadecimal, always the same for a user. Absent if this
   * server cannot decrypt it, for example during a change of SECRET_KEY.
   */
  textKey: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  user: sessionUser,
  tenant: sessionTenant,
  roles: z.array(sessionRole),
});
export type SignedIn = z.infer<typeof signedIn>;

export const credentials = z.object({
  username: z
    .string()
    .trim()
    .min(1, { error: () => t`Username is required` })
    .max(64, { error: () => t`Username is too long` }),
  password: z
    .string()
    .min(1, { error: () => t`Password is required` })
    .max(256, { error: () => t`Password is too long` }),
  /** Code of the authenticator app or recovery code. Required if the account has a second factor. */
  code: z
    .string()
    .trim()
    .max(64, { error: () => t`The code is too long` })
    .optional(),
});

export const sessions = {
  login: post('/auth/login', { can: 'public', audited: 'session.begin', body: credentials, reply: signedIn }),
  validate: post('/auth/validate', {
    can: 'public',
    audited: unaudited('checks the session with every page'),
    body: z.object({ token: z.string().max(256), username: z.string().max(64).optional() }),
    reply: signedIn,
  }),
  /**
   * Clears the browser cache of the application after sign-out. Only a response can do this (ASVS 5.0 14.3.1). The body
   * causes a CORS preflight, so other sites cannot call it.
   */
  forget: post('/auth/forget', {
    can: 'public',
    audited: unaudited('concerns the browser cache only'),
    body: z.object({ what: z.literal('CACHE') }),
    endsSession: true,
  }),
  logout: post('/auth/logout', {
    can: 'authenticated',
    audited: 'session.end',
    isForEnrolling: true,
    endsSession: true,
  }),
};

type Holder = Pick<SignedIn, 'user' | 'roles'>;

export const isSuperAdmin = ({ user }: Holder) => user.userType === 'SUPER_ADMIN';
export const isAdmin = ({ user }: Holder) => user.userType === 'ADMIN';
export const isPatient = ({ user }: Holder) => user.userType === 'PATIENT';

export const hasRole = ({ roles }: Holder, name: string): boolean =>
  roles.some((role) => role.name.toLowerCase() === name.toLowerCase());

export const hasPermission = ({ roles }: Holder, name: string): boolean =>
  roles.some((role) => role.permissions.some((permission) => permission.name.toLowerCase() === name.toLowerCase()));

/** Whether a caller has the required access. An undefined caller is not signed in. */
export const mayCall = (holder: Holder | undefined, access: Access): boolean => {
  if (access === 'public') return true;
  if (!holder) return false;
  return hasAccess(access, holder.user.userType, (permission) => hasPermission(holder, permission));
};

export const noun = {
  calls: [sessions],
  entities: ['session'],
  actions: {
    'Sign-in and permissions': {
      'session.begin': 'Signed in',
      'session.end': 'Signed out',
      'session.lock': 'Locked out of sign-in',
    },
  },
} as const satisfies Noun;
