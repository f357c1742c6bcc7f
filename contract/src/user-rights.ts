import { defaultPermissions, type Permission, type UserType, userTypes } from './access.ts';
import { permissionWords } from './permission-words.ts';

/**
 * Who may do what with whom (C71, C72). The server refuses by these functions and the screens hide or explain by them,
 * so that the two cannot disagree.
 *
 * 1. Types stand in an order, that of `userTypes`. Nobody touches somebody of a higher type, nor gives one above their own.
 * 2. Somebody can give the rights that they hold themselves and those that a type below theirs comes with: an
 *    administrator neither writes nor signs reports, but makes radiologists. What they could not give they cannot take,
 *    either: whoever holds such a right, in whatever role, is not theirs to touch.
 * 3. Nobody changes their own type, roles or activity; their own profile and password they change in their account,
 *    where the password is asked for.
 * 4. A type sets what somebody can hold at most, whatever their roles: outsiders govern nothing, patients hold nothing.
 */
export type Manager = { id: string; userType: UserType; permissions: readonly Permission[] };

/** Whom it is about. */
export type Managed = { id: string; userType: UserType; permissions: readonly Permission[] };

const rankOf = (type: UserType): number => userTypes.indexOf(type);

export const isHigher = (one: UserType, other: UserType): boolean => rankOf(one) < rankOf(other);

/** The types that somebody of this type may give. */
export const givableTypes = ({ userType }: Pick<Manager, 'userType'>): UserType[] =>
  userTypes.filter((type) => !isHigher(type, userType));

/** The rights that somebody can give. */
export const givablePermissions = ({ userType, permissions }: Omit<Manager, 'id'>): Set<Permission> =>
  new Set([
    ...permissions,
    ...userTypes.filter((type) => isHigher(userType, type)).flatMap((type) => defaultPermissions[type]),
  ]);

/** What outsiders of an organisation can be given: to see what is theirs, and to pass it on. */
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

/** Whether somebody of a type can hold a right at all. */
export const canHold = (type: UserType, permission: Permission): boolean => {
  if (type === 'PATIENT') return false;
  if (type === 'REFERRING_PHYSICIAN') return outsiders.includes(permission);
  if (permission === 'tenant.manage') return type === 'SUPER_ADMIN';
  if (permission === 'role.manage') return type !== 'RADIOLOGIST';
  return true;
};

/** The rights in a list that are too many for a type. */
export const tooMuchFor = (type: UserType, permissions: readonly Permission[]): Permission[] =>
  permissions.filter((permission) => !canHold(type, permission));

const labels = (permissions: readonly Permission[]) =>
  permissions.map((permission) => `“${permissionWords[permission].label}”`).join(', ');

export const ownRights = 'Nobody can raise their own rights';
export const ownAccount = 'Change your own profile and password in your account';

/** Why somebody may not touch somebody else at all; undefined when they may. */
export const refuseManaging = (manager: Manager, managed: Managed): string | undefined => {
  if (manager.id === managed.id) return ownAccount;
  if (isHigher(managed.userType, manager.userType)) return 'They are of a higher user type than you';
  const givable = givablePermissions(manager);
  const beyond = managed.permissions.filter((permission) => !givable.has(permission));
  return beyond.length > 0 ? `They hold rights that you cannot give or take: ${labels(beyond)}` : undefined;
};

/** Why somebody may not change another's type, roles or activity. */
export const refuseRights = (manager: Manager, managed: Managed): string | undefined =>
  manager.id === managed.id ? ownRights : refuseManaging(manager, managed);

/** Why somebody may not give a type. */
export const refuseType = (manager: Pick<Manager, 'userType'>, userType: UserType): string | undefined =>
  isHigher(userType, manager.userType) ? 'You cannot give a user type above your own' : undefined;

/** Why somebody may not give, make or change a role with these rights. */
export const refuseGiving = (manager: Omit<Manager, 'id'>, permissions: readonly Permission[]): string | undefined => {
  const givable = givablePermissions(manager);
  const beyond = permissions.filter((permission) => !givable.has(permission));
  return beyond.length > 0 ? `You cannot give rights that you do not hold: ${labels(beyond)}` : undefined;
};

/** What is wrong with a role for somebody of a type, whoever gives it. */
export const unfitFor = (userType: UserType, permissions: readonly Permission[]): string | undefined => {
  const beyond = tooMuchFor(userType, permissions);
  return beyond.length > 0 ? `A user of this type cannot hold ${labels(beyond)}` : undefined;
};

type Holder = {
  user: { id: string; userType: UserType };
  roles: readonly { permissions: readonly { name: Permission }[] }[];
};

/** Who manages, as a browser knows them. */
export const managerOf = ({ user, roles }: Holder): Manager => ({
  id: user.id,
  userType: user.userType,
  permissions: [...new Set(roles.flatMap(({ permissions }) => permissions.map(({ name }) => name)))],
});
