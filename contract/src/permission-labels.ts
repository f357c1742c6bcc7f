import { translated } from './core/translate.ts';
import type { Permission } from './core/access.ts';

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
  /** End of the sentence "They may ...". */
  lets: string;
};

/** Labels of the areas. */
export const permissionAreaLabels = translated({
  'Studies and images': 'Studies and images',
  Reports: 'Reports',
  Patients: 'Patients',
  Communication: 'Communication',
  Knowledge: 'Knowledge',
  Administration: 'Administration',
});

const inArea = (area: PermissionArea, labels: Omit<Words, 'area'>): Words => Object.assign(labels, { area });

/** Labels of all permissions. */
export const permissionWords: Record<Permission, Words> = {
  'study.view': inArea(
    'Studies and images',
    translated({ label: 'View studies', lets: 'open studies and view their images' }),
  ),
  'study.create': inArea(
    'Studies and images',
    translated({ label: 'Create studies', lets: 'create studies and upload images' }),
  ),
  'study.edit': inArea('Studies and images', translated({ label: 'Edit studies', lets: 'correct study data' })),
  'study.delete': inArea(
    'Studies and images',
    translated({ label: 'Delete studies', lets: 'move studies to the recycle bin and restore them' }),
  ),
  'study.assign': inArea(
    'Studies and images',
    translated({ label: 'Assign studies', lets: 'assign readers and due dates' }),
  ),
  'study.status': inArea(
    'Studies and images',
    translated({ label: 'Change status', lets: 'change the status of studies' }),
  ),
  'study.import': inArea(
    'Studies and images',
    translated({ label: 'Import studies', lets: 'search remote archives and import studies' }),
  ),
  'study.export': inArea(
    'Studies and images',
    translated({ label: 'Export studies', lets: 'export images and task histories' }),
  ),
  'report.view': inArea('Reports', translated({ label: 'View reports', lets: 'read reports of visible studies' })),
  'report.create': inArea(
    'Reports',
    translated({ label: 'Create reports', lets: 'create reports and use drafting aids' }),
  ),
  'report.edit': inArea(
    'Reports',
    translated({ label: 'Edit reports', lets: 'edit own reports and reports of assigned studies' }),
  ),
  'report.review': inArea(
    'Reports',
    translated({ label: 'Review reports', lets: 'approve or return reports of other users' }),
  ),
  'report.finalize': inArea('Reports', translated({ label: 'Sign reports', lets: 'sign reports and add addenda' })),
  'report.share': inArea('Reports', translated({ label: 'Share reports', lets: 'create share links to reports' })),
  'report.send': inArea(
    'Reports',
    translated({ label: 'Send reports', lets: 'print reports and deliver them to other systems' }),
  ),
  'critical.manage': inArea(
    'Communication',
    translated({ label: 'Critical findings', lets: 'record critical findings and their communication' }),
  ),
  'chat.use': inArea('Communication', translated({ label: 'Chat', lets: 'discuss studies with other users' })),
  'patient.view': inArea(
    'Patients',
    translated({ label: 'View patients', lets: 'search patients and open their records' }),
  ),
  'patient.edit': inArea('Patients', translated({ label: 'Edit patients', lets: 'create and edit patient records' })),
  'patient.merge': inArea(
    'Patients',
    translated({ label: 'Merge patients', lets: 'merge patient records and move studies' }),
  ),
  'atlas.manage': inArea(
    'Knowledge',
    translated({ label: 'Maintain the atlas', lets: 'create, edit and delete reference cases' }),
  ),
  'guideline.manage': inArea(
    'Knowledge',
    translated({ label: 'Maintain guidelines', lets: 'create, edit and delete guidelines' }),
  ),
  'template.manage': inArea(
    'Knowledge',
    translated({ label: 'Maintain templates', lets: 'create, edit and delete report templates and shared macros' }),
  ),
  'user.manage': inArea(
    'Administration',
    translated({ label: 'Manage users', lets: 'create and deactivate users, assign roles and send password links' }),
  ),
  'role.manage': inArea(
    'Administration',
    translated({ label: 'Manage roles', lets: 'edit roles and their permissions' }),
  ),
  'tenant.manage': inArea(
    'Administration',
    translated({ label: 'Manage organizations', lets: 'create, suspend and enter organizations of this installation' }),
  ),
  'config.manage': inArea(
    'Administration',
    translated({ label: 'Manage settings', lets: 'edit reporting settings and connected systems' }),
  ),
  'audit.view': inArea(
    'Administration',
    translated({ label: 'View audit log', lets: 'review who viewed or changed records' }),
  ),
  'dashboard.view': inArea('Administration', translated({ label: 'View dashboard', lets: 'see workload figures' })),
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
