import { t } from '../core/translate.ts';
import { defaultPermissions, type Permission, type UserType, userTypes } from '../core/access.ts';
import { permissionWords } from '../permission-labels.ts';

/**
 * Rules for managing users. The server enforces these functions and the screens follow them, so both agree. 1. User
 * types rank in the order of `userTypes`. A user cannot manage a user of a higher type, nor give a type above their
 * own. 2. A user can give their own permissions, and the default permissions of lower types: an administrator does not
 * sign reports, but can create radiologists. A user cannot revoke other permissions, and cannot manage users who have
 * them. 3. Users cannot change their own type, roles or status. They change profile and password on the account screen,
 * with their password. 4. The user type limits the permissions of any role: referring physicians do not administer, and
 * patients have no permissions.
 */
export type Manager = { id: string; userType: UserType; permissions: readonly Permission[] };

/** The user to be managed. */
export type ManagedUser = { id: string; userType: UserType; permissions: readonly Permission[] };

const rankOf = (type: UserType): number => userTypes.indexOf(type);

export const isHigher = (one: UserType, other: UserType): boolean => rankOf(one) < rankOf(other);

/** Returns the user types that a user of this type can give. */
export const givableTypes = ({ userType }: Pick<Manager, 'userType'>): UserType[] =>
  userTypes.filter((type) => !isHigher(type, userType));

/** Returns the permissions that a user can give. */
export const givablePermissions = ({ userType, permissions }: Omit<Manager, 'id'>): Set<Permission> =>
  new Set([
    ...permissions,
    ...userTypes.filter((type) => isHigher(userType, type)).flatMap((type) => defaultPermissions[type]),
  ]);

/** Permissions that referring physicians can have: they see their own studies and forward them. */
const outsiders: readonly Permission[] = [
  'study.view',
  'study.create',
  'study.export',
  'report.view',
  'report.share',
  'report.send',
  'patient.view',
  'chat.use',
  'dashboard.view',
];

/** Whether a user type can have a permission. */
export const canHold = (type: UserType, permission: Permission): boolean => {
  if (type === 'PATIENT') return false;
  if (type === 'REFERRING_PHYSICIAN') return outsiders.includes(permission);
  if (permission === 'tenant.manage') return type === 'SUPER_ADMIN';
  if (permission === 'role.manage') return type !== 'RADIOLOGIST';
  return true;
};

/** Returns the permissions that a user type cannot have. */
export const tooMuchFor = (type: UserType, permissions: readonly Permission[]): Permission[] =>
  permissions.filter((permission) => !canHold(type, permission));

const labels = (permissions: readonly Permission[]) =>
  permissions.map((permission) => `“${permissionWords[permission].label}”`).join(', ');

export const ownRights = () => t`You cannot change your own permissions`;
export const ownAccount = () => t`Change your own profile and password under My account`;

/** Returns the reason why a user may not manage another user; undefined if allowed. */
export const refuseManaging = (manager: Manager, managed: ManagedUser): string | undefined => {
  if (manager.id === managed.id) return ownAccount();
  if (isHigher(managed.userType, manager.userType)) return t`This user has a higher user type than you`;
  const givable = givablePermissions(manager);
  const beyond = managed.permissions.filter((permission) => !givable.has(permission));
  return beyond.length > 0 ? t`This user has permissions that you cannot give: ${labels(beyond)}` : undefined;
};

/** Returns the reason why a user may not change type, roles or status of another user. */
export const refuseRights = (manager: Manager, managed: ManagedUser): string | undefined =>
  manager.id === managed.id ? ownRights() : refuseManaging(manager, managed);

/** Returns the reason why a user may not give a user type. */
export const refuseType = (manager: Pick<Manager, 'userType'>, userType: UserType): string | undefined =>
  isHigher(userType, manager.userType) ? t`You cannot give a user type above your own` : undefined;

/** Returns the reason why a user may not give, create or change a role with these permissions. */
export const refuseGiving = (manager: Omit<Manager, 'id'>, permissions: readonly Permission[]): string | undefined => {
  const givable = givablePermissions(manager);
  const beyond = permissions.filter((permission) => !givable.has(permission));
  return beyond.length > 0 ? t`You cannot give permissions that you do not have: ${labels(beyond)}` : undefined;
};

/** Returns the reason why a user type cannot have a role, even if an administrator gives it. */
export const unfitFor = (userType: UserType, permissions: readonly Permission[]): string | undefined => {
  const beyond = tooMuchFor(userType, permissions);
  return beyond.length > 0 ? t`Users of this type cannot have these permissions: ${labels(beyond)}` : undefined;
};

type Holder = {
  user: { id: string; userType: UserType };
  roles: readonly { permissions: readonly { name: Permission }[] }[];
};

/** Converts session data of the browser to a `Manager`. */
export const managerOf = ({ user, roles }: Holder): Manager => ({
  id: user.id,
  userType: user.userType,
  permissions: [...new Set(roles.flatMap(({ permissions }) => permissions.map(({ name }) => name)))],
});
