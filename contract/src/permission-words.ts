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
  'study.view': { area: 'Studies and images', label: 'View studies', lets: 'open studies and view their images' },
  'study.create': {
    area: 'Studies and images',
    label: 'Create studies',
    lets: 'create studies and upload images',
  },
  'study.edit': { area: 'Studies and images', label: 'Edit studies', lets: 'correct study data' },
  'study.delete': {
    area: 'Studies and images',
    label: 'Delete studies',
    lets: 'move studies to the recycle bin and restore them',
  },
  'study.assign': { area: 'Studies and images', label: 'Assign studies', lets: 'assign readers and due dates' },
  'study.status': { area: 'Studies and images', label: 'Change status', lets: 'change the status of studies' },
  'study.import': {
    area: 'Studies and images',
    label: 'Import studies',
    lets: 'search remote archives and import studies',
  },
  'study.export': {
    area: 'Studies and images',
    label: 'Export studies',
    lets: 'export images and task histories',
  },
  'report.view': { area: 'Reports', label: 'View reports', lets: 'read reports of visible studies' },
  'report.create': { area: 'Reports', label: 'Create reports', lets: 'create reports and use drafting aids' },
  'report.edit': { area: 'Reports', label: 'Edit reports', lets: 'edit own reports and reports of assigned studies' },
  'report.review': { area: 'Reports', label: 'Review reports', lets: 'approve or return reports of other users' },
  'report.finalize': { area: 'Reports', label: 'Sign reports', lets: 'sign reports and add addenda' },
  'report.share': { area: 'Reports', label: 'Share reports', lets: 'create share links to reports' },
  'report.send': { area: 'Reports', label: 'Send reports', lets: 'print reports and deliver them to other systems' },
  'critical.manage': {
    area: 'Communication',
    label: 'Critical findings',
    lets: 'record critical findings and their communication',
  },
  'chat.use': { area: 'Communication', label: 'Chat', lets: 'discuss studies with other users' },
  'patient.view': { area: 'Patients', label: 'View patients', lets: 'search patients and open their records' },
  'patient.edit': { area: 'Patients', label: 'Edit patients', lets: 'create and edit patient records' },
  'patient.merge': {
    area: 'Patients',
    label: 'Merge patients',
    lets: 'merge patient records and move studies',
  },
  'atlas.manage': { area: 'Knowledge', label: 'Maintain the atlas', lets: 'create, edit and delete reference cases' },
  'guideline.manage': { area: 'Knowledge', label: 'Maintain guidelines', lets: 'create, edit and delete guidelines' },
  'template.manage': {
    area: 'Knowledge',
    label: 'Maintain templates',
    lets: 'create, edit and delete report templates and shared macros',
  },
  'user.manage': {
    area: 'Administration',
    label: 'Manage users',
    lets: 'create and deactivate users, assign roles and send password links',
  },
  'role.manage': { area: 'Administration', label: 'Manage roles', lets: 'edit roles and their permissions' },
  'tenant.manage': {
    area: 'Administration',
    label: 'Manage organizations',
    lets: 'create, suspend and enter organizations of this installation',
  },
  'config.manage': {
    area: 'Administration',
    label: 'Manage settings',
    lets: 'edit reporting settings and connected systems',
  },
  'audit.view': { area: 'Administration', label: 'View audit log', lets: 'review access to and changes of records' },
  'dashboard.view': { area: 'Administration', label: 'View dashboard', lets: 'see workload figures' },
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
