import { z } from 'zod';
import { permissions, userTypes } from './access.ts';
import { del, get, post, put } from './endpoint.ts';
import { page, pageQuery, sortQuery } from './paging.ts';

const required = (label: string, most: number) =>
  z
    .string(`${label} is required`)
    .trim()
    .min(1, `${label} is required`)
    .max(most, `${label} is longer than ${most} characters`);

const validEmail = 'Please enter a valid e-mail address';

const words = (label: string) => z.string().trim().max(120, `${label} is longer than 120 characters`).default('');

const roleIds = z.array(z.string()).max(20, 'A user has 20 roles at most');

/** What the server is called in the audit and in the history of a study, where it acts by itself. */
export const serversName = 'system';

export const isServersName = (username: string): boolean => username.toLowerCase() === serversName;

/** What people type about a user. */
export const userForm = z.object({
  username: required('Username', 64)
    // Some keyboards write a letter and its marks apart.
    .normalize('NFC')
    .min(3, 'Username has at least 3 characters')
    // It is typed behind "@" in messages and before ":" by other software.
    .regex(/^[\p{L}\p{N}._@+-]+$/u, 'Use letters, digits and . _ - + @ only')
    .refine((name) => !isServersName(name), 'The audit calls the server so. Choose another name.'),
  name: required('Name', 120),
  // No address that can be written to is longer (RFC 5321 §4.5.3.1.3).
  email: z
    .string('E-mail is required')
    .trim()
    .min(1, 'E-mail is required')
    .pipe(z.email(validEmail).max(254, validEmail)),
  userType: z.enum(userTypes, 'Choose a user type'),
  specialization: words('Specialization'),
  department: words('Department'),
});
export type UserForm = z.output<typeof userForm>;

/** A text that stays as it was, or is as it is asked for. */
const keptOr = (before: string, asked: z.ZodType<string, string>) =>
  z.string().transform((typed, context) => {
    if (typed === before) return typed;
    const { data, error } = asked.safeParse(typed);
    for (const { message } of error?.issues ?? []) context.addIssue({ code: 'custom', message });
    return data ?? z.NEVER;
  });

/**
 * The same about somebody who is a user already. An organisation's own provider names people as it likes, and may know no
 * address of theirs: what is left as it is need not fit what is asked of what is typed here.
 */
export const userFormOf = (known: Pick<UserForm, 'username' | 'name' | 'email'>) =>
  userForm.extend({
    username: keptOr(known.username, userForm.shape.username),
    name: keptOr(known.name, userForm.shape.name),
    email: keptOr(known.email, userForm.shape.email),
  });

const rights = {
  /** Left out: of a new user the built-in role of their type, of another one those they have. */
  roles: roleIds.min(1, 'Choose at least one role').optional(),
  active: z.boolean().optional(),
};

/** Whose user it is; only a super administrator may name another organisation than the one they are in. */
const tenantId = z.uuid('Choose an organisation');

export const newUserForm = userForm.extend({
  ...rights,
  tenantId: tenantId.optional(),
  /** Whoever only signs in through the organisation's own provider needs no password, and so no invitation. */
  isInvited: z.boolean().default(true),
});

/** Whose name and address were changed, and whether to what may be, is known only beside the user (userFormOf). */
export const userChanges = userForm.extend({
  username: z.string('Username is required'),
  name: z.string('Name is required'),
  email: z.string('E-mail is required'),
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
  /** All that their roles let them do. */
  permissions: z.array(z.enum(permissions)),
  tenant: z.object({ id: z.string(), name: z.string() }),
  active: z.boolean(),
  specialization: z.string(),
  department: z.string(),
  createdAt: z.string(),
  lastLoginAt: z.string().nullable(),
  /** Whether they have set a password: who has not, waits for their invitation or signs in elsewhere. */
  hasPassword: z.boolean(),
  /** Whether a code is asked for beside their password. */
  hasSecondFactor: z.boolean(),
  /** Whether the account may not sign until it is confirmed (signing-holds.ts). */
  isHeld: z.boolean(),
  revision: z.number(),
});
export type User = z.infer<typeof user>;

/** A user as others choose them. */
export const foundUser = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  userType: z.enum(userTypes),
  active: z.boolean(),
});
export type FoundUser = z.infer<typeof foundUser>;

/**
 * How somebody is to set their password: a link was sent to the address, or has to be handed over by whoever asked for
 * it, because this installation sends no mail. Neither can be read again.
 */
export const passwordLink = z.object({ sentTo: z.string().nullable(), link: z.string().nullable() });
export type PasswordLink = z.infer<typeof passwordLink>;

/** A user that was made, and how they are let in; null when they need no password here. */
export const madeUser = z.object({ user, invitation: passwordLink.nullable() });
export type MadeUser = z.infer<typeof madeUser>;

/** What became of a user who was to be deleted: of whom there are records, stays, and is let in no more. */
export const removedUser = z.object({ outcome: z.enum(['DELETED', 'DEACTIVATED']), user: user.nullable() });
export type RemovedUser = z.infer<typeof removedUser>;

/** A role as it can be given. */
export const roleChoice = z.object({
  id: z.string(),
  name: z.string(),
  builtInFor: z.enum(userTypes).nullable(),
  permissions: z.array(z.enum(permissions)),
});
export type RoleChoice = z.infer<typeof roleChoice>;

const yesOrNo = (field: string) =>
  z
    .enum(['true', 'false'], `${field} is true or false`)
    .transform((text) => text === 'true')
    .optional();

export const userSortFields = ['username', 'name', 'email', 'userType', 'active', 'lastLoginAt'] as const;

const searchText = z.string().trim().max(200, 'Search for at most 200 characters');

const listQuery = z.object({
  ...pageQuery,
  query: searchText.optional(),
  active: yesOrNo('active'),
  userType: z.enum(userTypes, 'Choose one of the user types').optional(),
  roleId: z.uuid('roleId is the id of a role').optional(),
  sort: sortQuery(userSortFields, 'name,asc'),
});

/** The users of the organisation that the caller is in (C71). Who may do what with whom: user-rights.ts. */
export const users = {
  list: get('/users', { can: 'user.manage', query: listQuery, reply: page(user) }),
  /** The first 20 by name whose name or username holds the words. */
  search: get('/users/search', {
    can: 'user.manage',
    query: z.object({ query: searchText.default(''), active: yesOrNo('active') }),
    reply: z.array(foundUser),
  }),
  /** The roles of the organisation, for whoever gives them. */
  roleChoices: get('/users/role-choices', { can: 'user.manage', reply: z.array(roleChoice) }),
  get: get('/users/:id', { can: 'user.manage', reply: user }),
  create: post('/users', { can: 'user.manage', body: newUserForm, reply: madeUser }),
  update: put('/users/:id', { can: 'user.manage', body: userChanges, reply: user }),
  remove: del('/users/:id', { can: 'user.manage', reply: removedUser }),
  setStatus: put('/users/:id/status', {
    can: 'user.manage',
    body: z.object({ active: z.boolean('active is true or false') }),
    reply: user,
  }),
  setRoles: put('/users/:id/roles', {
    can: 'user.manage',
    body: z.object({ roles: roleIds.min(1, 'Choose at least one role') }),
    reply: user,
  }),
  /** Moves a user of whom there are no records yet; in the other organisation they have the role of their type. */
  setTenant: put('/users/:id/tenant', {
    can: 'tenant.manage',
    body: z.object({ tenantId }),
    reply: madeUser,
  }),
  resetPassword: post('/users/:id/reset-password', { can: 'user.manage', reply: passwordLink }),
  /** Of one's own organisation, or as a super administrator of any. */
  ofTenant: get('/tenants/:id/users', { can: 'user.manage', query: listQuery, reply: page(user) }),
};
