import { t, translated } from '../core/translate.ts';
import { z } from 'zod';
import { userTypes } from '../core/access.ts';
import { del, get, post, put, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

export const groupKinds = ['SUBSPECIALTY', 'DEPARTMENT', 'SITE'] as const;
export type GroupKind = (typeof groupKinds)[number];

export const groupKindLabels: Record<GroupKind, string> = translated({
  SUBSPECIALTY: 'Subspecialty',
  DEPARTMENT: 'Department',
  SITE: 'Site',
});

/** Maximum number of members of a group. */
export const mostMembers = 2000;

const arrivalName = z
  .string()
  .trim()
  .min(1)
  // LO and SH values of DICOM have at most 64 characters (PS3.5 §6.2).
  .max(64, { error: () => t`A name is longer than 64 characters` });

export const groupForm = z.object({
  name: z
    .string({ error: () => t`Name is required` })
    .trim()
    .min(1, { error: () => t`Name is required` })
    .max(80, { error: () => t`The name is longer than 80 characters` }),
  kind: z.enum(groupKinds, { error: () => t`Choose a kind` }),
  /**
   * Whether members see only the studies of their groups. A user becomes limited by joining. Leaving does not lift the
   * limit; an administrator lifts it on the user.
   */
  isLimiting: z.boolean().default(false),
  /** Institution and station names, in any case. A study that arrives with one of them gets the group. */
  arrivalNames: z
    .array(arrivalName)
    .max(50, { error: () => t`Use at most 50 names` })
    .default([]),
  memberIds: z
    .array(z.uuid({ error: () => t`Choose users of this organization` }))
    .max(mostMembers, { error: () => t`A group has at most ${mostMembers} members` })
    .default([]),
});
export type GroupForm = z.output<typeof groupForm>;

export const group = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(groupKinds),
  isLimiting: z.boolean(),
  arrivalNames: z.array(z.string()),
  memberCount: z.number(),
  /** Saved views of the study list that belong to the group. They are deleted with it. */
  viewCount: z.number(),
  /** Assignment rules that name the group. They assign nothing after it is deleted. */
  ruleCount: z.number(),
  /** Whether the caller is a member. */
  isOwn: z.boolean(),
  revision: z.number(),
});
export type Group = z.infer<typeof group>;

const member = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  userType: z.enum(userTypes),
  active: z.boolean(),
  /** Whether the user sees only the studies of own groups. */
  isLimited: z.boolean(),
});
export type GroupMember = z.infer<typeof member>;

export const groupDetails = group.extend({
  members: z.array(member),
  /** Studies of the group, up to 10,000. */
  studyCount: z.number(),
});
export type GroupDetails = z.infer<typeof groupDetails>;

/** Groups of users. Studies are assigned to them, and they can limit what their members see. */
export const groups = {
  /** Returns the groups of the organization by name. */
  list: get('/groups', { can: 'staff', audited: notAudited.noPatient, reply: z.array(group) }),
  get: get('/groups/:id', { can: 'user.manage', audited: notAudited.noPatient, reply: groupDetails }),
  create: post('/groups', { can: 'user.manage', audited: 'group.create', body: groupForm, reply: groupDetails }),
  update: put('/groups/:id', {
    can: 'user.manage',
    audited: 'group.update',
    body: groupForm.extend({ revision: z.number().int() }),
    reply: groupDetails,
  }),
  /**
   * Deletes a group without devices and active assignments. Its studies lose the group, and its saved views are deleted. No
   * user sees more than before.
   */
  remove: del('/groups/:id', { can: 'user.manage', audited: 'group.delete' }),
  /**
   * Limits a user to the studies of own groups, or lifts the limit. Administrators are never limited. Throws 409 when the
   * limit of a member of a limiting group would be lifted.
   */
  setLimit: put('/users/:id/limit', {
    can: 'user.manage',
    audited: 'user.limit',
    body: z.object({ isLimited: z.boolean({ error: () => t`Use true or false for isLimited` }) }),
  }),
};

export const noun = {
  calls: [groups],
  entities: ['group'],
  actions: {
    'Users and organization': {
      'group.create': 'Created group',
      'group.update': 'Edited group',
      'group.delete': 'Deleted group',
      'user.limit': 'Changed limit to groups',
    },
  },
} as const satisfies Noun;
