import { t } from '../core/translate.ts';
import { z } from 'zod';
import { permissions, userTypes } from '../core/access.ts';
import { del, get, post, put, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

const roleName = z
  .string({ error: () => t`Name is required` })
  .trim()
  .min(1, { error: () => t`Name is required` })
  .max(80, { error: () => t`The name is longer than 80 characters` });

export const roleForm = z.object({
  name: roleName,
  description: z
    .string()
    .trim()
    .max(300, { error: () => t`The description is longer than 300 characters` })
    .default(''),
  permissions: z
    .array(z.enum(permissions, { error: () => t`Unknown permission` }))
    .transform((requested) => permissions.filter((name) => requested.includes(name))),
});
export type RoleForm = z.output<typeof roleForm>;

export const role = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  permissions: z.array(z.enum(permissions)),
  /** User type of a built-in role; null for other roles. Built-in roles cannot be changed. */
  builtInFor: z.enum(userTypes).nullable(),
  /** Number of users with the role, including inactive ones. */
  holders: z.number(),
  /** True if the caller has the role. */
  isOwn: z.boolean(),
  revision: z.number(),
});
export type Role = z.infer<typeof role>;

export const permissionInWords = z.object({ name: z.enum(permissions), label: z.string(), lets: z.string() });

export const roles = {
  /** Returns built-in roles by type, then the other roles by name. */
  list: get('/roles', { can: 'role.manage', audited: notAudited.noPatient, reply: z.array(role) }),
  get: get('/roles/:id', { can: 'role.manage', audited: notAudited.noPatient, reply: role }),
  create: post('/roles', { can: 'role.manage', audited: 'role.create', body: roleForm, reply: role }),
  clone: post('/roles/:id/clone', {
    can: 'role.manage',
    audited: 'role.create',
    body: z.object({ name: roleName }),
    reply: role,
  }),
  update: put('/roles/:id', {
    can: 'role.manage',
    audited: 'role.update',
    body: roleForm.extend({ revision: z.number().int() }),
    reply: role,
  }),
  remove: del('/roles/:id', { can: 'role.manage', audited: 'role.delete' }),
  /** Returns all permissions with labels, by area. */
  permissions: get('/permissions', {
    can: 'role.manage',
    audited: notAudited.noPatient,
    reply: z.array(z.object({ area: z.string(), permissions: z.array(permissionInWords) })),
  }),
};

export const noun = {
  calls: [roles],
  entities: ['role'],
  actions: {
    'Users and organization': {
      'role.create': 'Created role',
      'role.update': 'Edited role',
      'role.delete': 'Deleted role',
    },
  },
} as const satisfies Noun;
