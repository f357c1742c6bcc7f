/**
 * Who may do what. The server refuses by these tables and the screens hide buttons by them, so the
 * two cannot disagree. A tenant's roles start as the default sets below and are data from then on.
 */
export const userTypes = ['SUPER_ADMIN', 'ADMIN', 'RADIOLOGIST', 'REFERRING_PHYSICIAN', 'PATIENT'] as const;
export type UserType = (typeof userTypes)[number];

/** What visitors from another tenant are told when only those may do something whose work it is. */
export const membersOnly = 'Only members of this organisation may do this';

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
 * What an endpoint asks of its caller: a permission; a session of anybody but a patient, who sees nothing but their own
 * reports (C16); any session; or not even that.
 */
export type Access = Permission | 'staff' | 'authenticated' | 'public';

/** Whether a user of this type, who holds these permissions, is let in where `access` is asked for. */
export const isLetIn = (access: Access, userType: UserType, permits: (permission: Permission) => boolean): boolean => {
  if (access === 'public' || access === 'authenticated') return true;
  return access === 'staff' ? userType !== 'PATIENT' : permits(access);
};

/** Administrators keep the practice running; they are not physicians, so they neither write nor sign reports. */
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

/** The names of the built-in roles, one for each user type, that every tenant starts with. */
export const builtInRoleNames: Record<UserType, string> = {
  SUPER_ADMIN: 'Super administrator',
  ADMIN: 'Administrator',
  RADIOLOGIST: 'Radiologist',
  REFERRING_PHYSICIAN: 'Referring physician',
  PATIENT: 'Patient',
};

/** What somebody with a built-in role does here. */
export const builtInRoleWords: Record<UserType, string> = {
  SUPER_ADMIN: 'Looks after all organisations, and administers this one; neither writes nor signs reports.',
  ADMIN: 'Administers the organisation and its people; neither writes nor signs reports.',
  RADIOLOGIST: 'Reads studies, writes, reviews and signs reports.',
  REFERRING_PHYSICIAN: 'Sends patients, and sees their studies and signed reports.',
  PATIENT: 'Opens reports by link, and nothing else.',
};
