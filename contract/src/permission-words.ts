import type { Permission } from './access.ts';

/** Areas of permissions, in display order. */
export const permissionAreas = [
  'Studies and images',
  'Reports',
  'Patients',
  'Communication',
  'Knowledge',
  'Administration',
] as const;
export type PermissionArea = (typeof permissionAreas)[number];

type Words = {
  area: PermissionArea;
  label: string;
  /** Completes the sentence "They may ...". */
  lets: string;
};

/** Labels of all permissions. */
export const permissionWords: Record<Permission, Words> = {
  'study.view': { area: 'Studies and images', label: 'View studies', lets: 'open studies and look at their images' },
  'study.create': {
    area: 'Studies and images',
    label: 'Add studies',
    lets: 'register studies and upload images',
  },
  'study.edit': { area: 'Studies and images', label: 'Edit studies', lets: 'correct what is written of a study' },
  'study.delete': {
    area: 'Studies and images',
    label: 'Delete studies',
    lets: 'move studies to the recycle bin and restore them',
  },
  'study.assign': { area: 'Studies and images', label: 'Assign studies', lets: 'say who reads a study and until when' },
  'study.status': { area: 'Studies and images', label: 'Change status', lets: 'move a study through its work' },
  'study.import': {
    area: 'Studies and images',
    label: 'Import studies',
    lets: 'search other archives and import studies from them',
  },
  'study.export': {
    area: 'Studies and images',
    label: 'Export studies',
    lets: 'take images and histories out of the archive',
  },
  'report.view': { area: 'Reports', label: 'Read reports', lets: 'read the reports of the studies they see' },
  'report.create': { area: 'Reports', label: 'Begin reports', lets: 'begin reports and use the drafting aids' },
  'report.edit': { area: 'Reports', label: 'Write reports', lets: 'change reports of their own and of their studies' },
  'report.review': { area: 'Reports', label: 'Review reports', lets: "approve or return colleagues' reports" },
  'report.finalize': { area: 'Reports', label: 'Sign reports', lets: 'sign reports and add addenda' },
  'report.share': { area: 'Reports', label: 'Share reports', lets: 'make links by which outsiders read a report' },
  'report.send': { area: 'Reports', label: 'Send reports', lets: 'print reports and send them to other systems' },
  'critical.manage': {
    area: 'Communication',
    label: 'Critical findings',
    lets: 'record critical findings and who was told of them',
  },
  'chat.use': { area: 'Communication', label: 'Chat', lets: 'talk with colleagues about a study' },
  'patient.view': { area: 'Patients', label: 'View patients', lets: 'search patients and open their records' },
  'patient.edit': { area: 'Patients', label: 'Edit patients', lets: 'create patients and correct their records' },
  'patient.merge': {
    area: 'Patients',
    label: 'Merge patients',
    lets: 'merge two records of one patient and move studies',
  },
  'atlas.manage': { area: 'Knowledge', label: 'Maintain the atlas', lets: 'add, change and delete reference cases' },
  'guideline.manage': { area: 'Knowledge', label: 'Maintain guidelines', lets: 'add, change and delete guidelines' },
  'template.manage': {
    area: 'Knowledge',
    label: 'Maintain templates',
    lets: 'change report templates and shared macros',
  },
  'user.manage': {
    area: 'Administration',
    label: 'Manage users',
    lets: 'add people, give them roles, deactivate them and have them set a new password',
  },
  'role.manage': { area: 'Administration', label: 'Manage roles', lets: 'decide which rights a role carries' },
  'tenant.manage': {
    area: 'Administration',
    label: 'Manage organisations',
    lets: 'create and suspend organisations of this installation and enter them',
  },
  'config.manage': {
    area: 'Administration',
    label: 'Manage settings',
    lets: 'change how the organisation reports and which systems it is connected to',
  },
  'audit.view': { area: 'Administration', label: 'Read the audit log', lets: 'see who saw or changed what' },
  'dashboard.view': { area: 'Administration', label: 'Dashboard', lets: 'see the figures of their work' },
};

/** Groups permissions by area in display order. Leaves out empty areas. */
export const byArea = <P extends Permission>(
  permissions: readonly P[],
): { area: PermissionArea; permissions: P[] }[] => {
  const order = Object.keys(permissionWords);
  const sorted = permissions.toSorted((one, other) => order.indexOf(one) - order.indexOf(other));
  return permissionAreas
    .map((area) => ({ area, permissions: sorted.filter((name) => permissionWords[name].area === area) }))
    .filter((group) => group.permissions.length > 0);
};
