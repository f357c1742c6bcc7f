import { t } from './translate.ts';
/**
 * Permissions by user type. The server enforces these tables, and the screens use them to hide buttons, so that server
 * and screens agree. Each tenant starts with the default roles below and can change them later.
 */
export const userTypes = ['SUPER_ADMIN', 'ADMIN', 'RADIOLOGIST', 'REFERRING_PHYSICIAN', 'PATIENT'] as const;
export type UserType = (typeof userTypes)[number];

/** Error message for a visiting user of another tenant who calls an endpoint for members only. */
export const membersOnly = () => t`Only members of this organization can do this`;

export const permissions = [
  'study.view',
  'study.create',
  'study.edit',
  'study.delete',
  'study.assign',
  'study.status',
  'study.import',
  'study.export',
  'report.view',
  'report.create',
  'report.edit',
  'report.review',
  'report.finalize',
  'report.share',
  'report.send',
  'critical.manage',
  'patient.view',
  'patient.edit',
  'patient.merge',
  'chat.use',
  'atlas.manage',
  'guideline.manage',
  'template.manage',
  'user.manage',
  'role.manage',
  'tenant.manage',
  'config.manage',
  'audit.view',
  'dashboard.view',
] as const;
export type Permission = (typeof permissions)[number];

/**
 * Access that an endpoint requires: a permission, a staff session, any session, or none. Patients have no staff access,
 * because they see only their own reports.
 */
export type Access = Permission | 'staff' | 'authenticated' | 'public';

/** Checks whether a user with this type and these permissions has the required access. */
export const hasAccess = (
  access: Access,
  userType: UserType,
  permits: (permission: Permission) => boolean,
): boolean => {
  if (access === 'public' || access === 'authenticated') return true;
  return access === 'staff' ? userType !== 'PATIENT' : permits(access);
};

/** Administrators manage the organization. They are not physicians, so they neither write nor sign reports. */
const administrator: readonly Permission[] = [
  'study.view',
  'study.create',
  'study.edit',
  'study.delete',
  'study.assign',
  'study.status',
  'study.import',
  'study.export',
  'report.view',
  'report.share',
  'report.send',
  'patient.view',
  'patient.edit',
  'patient.merge',
  'chat.use',
  'atlas.manage',
  'guideline.manage',
  'template.manage',
  'user.manage',
  'config.manage',
  'audit.view',
  'dashboard.view',
];

export const defaultPermissions: Record<UserType, readonly Permission[]> = {
  SUPER_ADMIN: [...administrator, 'role.manage', 'tenant.manage'],
  ADMIN: administrator,
  RADIOLOGIST: [
    'study.view',
    'study.create',
    'study.edit',
    'study.assign',
    'study.status',
    'study.import',
    'study.export',
    'report.view',
    'report.create',
    'report.edit',
    'report.review',
    'report.finalize',
    'report.share',
    'report.send',
    'critical.manage',
    'patient.view',
    'patient.edit',
    'chat.use',
    'atlas.manage',
    'guideline.manage',
    'dashboard.view',
  ],
  REFERRING_PHYSICIAN: ['study.view', 'report.view', 'patient.view', 'chat.use', 'dashboard.view'],
  PATIENT: [],
};

/** Names of the built-in roles, one per user type. Every tenant starts with them. */
export const builtInRoleNames: Record<UserType, string> = {
  SUPER_ADMIN: 'Super administrator',
  ADMIN: 'Administrator',
  RADIOLOGIST: 'Radiologist',
  REFERRING_PHYSICIAN: 'Referring physician',
  PATIENT: 'Patient',
};

/** Descriptions of the built-in roles. */
export const builtInRoleWords: Record<UserType, () => string> = {
  SUPER_ADMIN: () => t`Manages all organizations and administers this one. Does not write or sign reports.`,
  ADMIN: () => t`Administers the organization and its users. Does not write or sign reports.`,
  RADIOLOGIST: () => t`Reads studies. Writes, reviews and signs reports.`,
  REFERRING_PHYSICIAN: () => t`Refers patients and views their studies and signed reports.`,
  PATIENT: () => t`Can open reports only by share link.`,
};
