import { t } from '../core/translate.ts';
import { z } from 'zod';
import { permissions, userTypes } from '../core/access.ts';
import { del, get, post, put, notAudited, stream } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { page, pageQuery, sortQuery } from '../core/paging.ts';

const required = (label: () => string, most: number) =>
  z
    .string({ error: () => t`${label()} is required` })
    .trim()
    .min(1, { error: () => t`${label()} is required` })
    .max(most, { error: () => t`${label()} is longer than ${most} characters` });

const validEmail = { error: () => t`Please enter a valid e-mail address` };

const words = (label: () => string) =>
  z
    .string()
    .trim()
    .max(120, { error: () => t`${label()} is longer than 120 characters` })
    .default('');

/** Academic titles and similar, shown after the name in a signature. */
export const credentials = z
  .string()
  .trim()
  .max(60, { error: () => t`Credentials are longer than 60 characters` })
  .regex(/^[\p{L}\p{M}\p{N} .,;()/&'’+-]*$/u, {
    error: () => t`Use letters, digits, spaces and . , ; ( ) / & ' + - only`,
  });

const roleIds = z.array(z.string()).max(20, { error: () => t`Choose at most 20 roles` });

/** Username for actions of the server itself, in audit log and study history. */
export const serversName = 'system';

export const isServersName = (username: string): boolean => username.toLowerCase() === serversName;

/** Fields of the user form. */
export const userForm = z.object({
  username: required(() => t`Username`, 64)
    // Combines characters, because some keyboards send a letter and its accent separately.
    .normalize('NFC')
    .min(3, { error: () => t`Use at least 3 characters` })
    // Limits the characters: a username follows "@" in messages and precedes ":" in HTTP Basic authentication.
    .regex(/^[\p{L}\p{N}._@+-]+$/u, { error: () => t`Use letters, digits and . _ - + @ only` })
    .refine((name) => !isServersName(name), {
      error: () => t`This name is reserved for the server. Choose another name.`,
    }),
  name: required(() => t`Name`, 120),
  // If these fields are missing, the stored values stay unchanged.
  email: z
    .string({ error: () => t`E-mail is required` })
    .trim()
    .min(1, { error: () => t`E-mail is required` })
    .pipe(z.email(validEmail).max(254, validEmail)),
  userType: z.enum(userTypes, { error: () => t`Choose a user type` }),
  specialization: words(() => t`Specialization`),
  department: words(() => t`Department`),
  /** If missing, they stay unchanged. */
  credentials: credentials.optional(),
});
export type UserForm = z.output<typeof userForm>;

/** Accepts the unchanged value, or a new value that follows the rule. */
const unchangedOr = (before: string, rule: z.ZodType<string, string>) =>
  z.string().transform((typed, context) => {
    if (typed === before) return typed;
    const { data, error } = rule.safeParse(typed);
    for (const { message } of error?.issues ?? []) context.addIssue({ code: 'custom', message });
    return data ?? z.NEVER;
  });

/**
 * Form for an existing user. Unchanged values are not checked, because a single sign-on provider may send names that
 * break our rules, or no e-mail address.
 */
export const userFormOf = (known: Pick<UserForm, 'username' | 'name' | 'email'>) =>
  userForm.extend({
    username: unchangedOr(known.username, userForm.shape.username),
    name: unchangedOr(known.name, userForm.shape.name),
    email: unchangedOr(known.email, userForm.shape.email),
  });

const rights = {
  /**
   * IDs of the roles. Default for a new user: the built-in role of the type. Default for an existing user: no change.
   */
  roles: roleIds.min(1, { error: () => t`Choose at least one role` }).optional(),
  active: z.boolean().optional(),
};

/** Organization of the user. Only a super administrator may name an organization other than their own. */
const tenantId = z.uuid({ error: () => t`Choose an organization` });

export const newUserForm = userForm.extend({
  ...rights,
  tenantId: tenantId.optional(),
  /** Whether the user is invited to set a password. False for a user who signs in only through the provider. */
  isInvited: z.boolean().default(true),
});

/** Name and e-mail address are checked later, together with the stored user (userFormOf). */
export const userChanges = userForm.extend({
  username: z.string({ error: () => t`Username is required` }),
  name: z.string({ error: () => t`Name is required` }),
  email: z.string({ error: () => t`E-mail is required` }),
  ...rights,
  revision: z.number().int(),
});

const givenRole = z.object({ id: z.string(), name: z.string() });

export const user = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  email: z.string(),
  userType: z.enum(userTypes),
  roles: z.array(givenRole),
  /** All permissions from the user's roles. */
  permissions: z.array(z.enum(permissions)),
  tenant: z.object({ id: z.string(), name: z.string() }),
  active: z.boolean(),
  specialization: z.string(),
  department: z.string(),
  credentials: z.string(),
  createdAt: z.string(),
  lastLoginAt: z.string().nullable(),
  /**
   * Whether the user has set a password. False before the invitation is accepted, or for sign-in through a provider
   * only.
   */
  hasPassword: z.boolean(),
  /** Whether sign-in requires a code in addition to the password. */
  hasSecondFactor: z.boolean(),
  /** Whether the account has a signing hold (signing-holds.ts). */
  isHeld: z.boolean(),
  groups: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Whether the user sees only the studies of own groups (groups.ts). */
  isLimited: z.boolean(),
  revision: z.number(),
});
export type User = z.infer<typeof user>;

/** A user in a selection list. */
export const foundUser = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  userType: z.enum(userTypes),
  active: z.boolean(),
});
export type FoundUser = z.infer<typeof foundUser>;

/**
 * Link to set a password. It is sent by mail, or returned once to the caller if this installation sends no mail. It
 * cannot be read again.
 */
export const passwordLink = z.object({ sentTo: z.string().nullable(), link: z.string().nullable() });
export type PasswordLink = z.infer<typeof passwordLink>;

/** A new user and the invitation. The invitation is null if the user needs no password. */
export const createdUser = z.object({ user, invitation: passwordLink.nullable() });
export type CreatedUser = z.infer<typeof createdUser>;

/** Result of a deletion. A user who has records is deactivated instead. */
export const removedUser = z.object({ outcome: z.enum(['DELETED', 'DEACTIVATED']), user: user.nullable() });
export type RemovedUser = z.infer<typeof removedUser>;

/** A role that the caller can give. */
export const roleChoice = z.object({
  id: z.string(),
  name: z.string(),
  builtInFor: z.enum(userTypes).nullable(),
  permissions: z.array(z.enum(permissions)),
});
export type RoleChoice = z.infer<typeof roleChoice>;

const yesOrNo = (field: string) =>
  z
    .enum(['true', 'false'], { error: () => t`Use true or false for ${field}` })
    .transform((text) => text === 'true')
    .optional();

export const userSortFields = ['username', 'name', 'email', 'userType', 'active', 'lastLoginAt'] as const;

const searchText = z
  .string()
  .trim()
  .max(200, { error: () => t`Search for at most 200 characters` });

const listQuery = z.object({
  ...pageQuery,
  query: searchText.optional(),
  active: yesOrNo('active'),
  userType: z.enum(userTypes, { error: () => t`Choose a user type from the list` }).optional(),
  roleId: z.uuid({ error: () => t`Use a role id for roleId` }).optional(),
  sort: sortQuery(userSortFields, 'name,asc'),
});

/** Users of the caller's organization. For the rules, see user-rights.ts. */
export const users = {
  list: get('/users', { can: 'user.manage', audited: notAudited.noPatient, query: listQuery, reply: page(user) }),
  /** Returns the first 20 users by name whose name or username contains the text. */
  search: get('/users/search', {
    can: 'user.manage',
    audited: notAudited.noPatient,
    query: z.object({ query: searchText.default(''), active: yesOrNo('active') }),
    reply: z.array(foundUser),
  }),
  /** Returns the roles of the organization that can be given to users. */
  roleChoices: get('/users/role-choices', {
    can: 'user.manage',
    audited: notAudited.noPatient,
    reply: z.array(roleChoice),
  }),
  get: get('/users/:id', { can: 'user.manage', audited: notAudited.noPatient, reply: user }),
  create: post('/users', { can: 'user.manage', audited: 'user.create', body: newUserForm, reply: createdUser }),
  update: put('/users/:id', { can: 'user.manage', audited: 'user.update', body: userChanges, reply: user }),
  remove: del('/users/:id', { can: 'user.manage', audited: 'user.delete', reply: removedUser }),
  setStatus: put('/users/:id/status', {
    can: 'user.manage',
    audited: 'user.deactivate',
    body: z.object({ active: z.boolean({ error: () => t`Use true or false for active` }) }),
    reply: user,
  }),
  setRoles: put('/users/:id/roles', {
    can: 'user.manage',
    audited: 'user.update',
    body: z.object({ roles: roleIds.min(1, { error: () => t`Choose at least one role` }) }),
    reply: user,
  }),
  /** Moves a user without records to another organization. There the user gets the built-in role of the type. */
  setTenant: put('/users/:id/tenant', {
    can: 'tenant.manage',
    audited: 'user.leave',
    body: z.object({ tenantId }),
    reply: createdUser,
  }),
  resetPassword: post('/users/:id/reset-password', {
    can: 'user.manage',
    audited: 'user.reset_password',
    reply: passwordLink,
  }),
  /** Returns the users of the caller's organization. Super administrators may name any organization. */
  ofTenant: get('/tenants/:id/users', {
    can: 'user.manage',
    audited: notAudited.noPatient,
    query: listQuery,
    reply: page(user),
  }),
};

/** Query of `userExport`. */
export const userExportQuery = listQuery.omit({ page: true, size: true });

/** Limit of an export. A line at the end says that users are missing. */
export const mostExportedUsers = 10_000;

/** Exports the list of users as CSV, with formulas escaped. The query is that of `users.list`, without the page. */
export const userExport = stream('GET', '/api/users/export', 'user.manage', 'user.exportList');

export const noun = {
  calls: [users],
  streams: [userExport],
  entities: ['user'],
  actions: {
    'Users and organization': {
      'user.exportList': 'Exported list of users',
      'user.create': 'Created user',
      'user.update': 'Edited user',
      'user.activate': 'Activated user',
      'user.deactivate': 'Deactivated user',
      'user.delete': 'Deleted user',
      'user.leave': 'Moved user to another organization',
      'user.reset_password': 'Created password link',
    },
  },
} as const satisfies Noun;
