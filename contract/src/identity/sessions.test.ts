import { expect, test } from 'vitest';
import { defaultPermissions, permissions, userTypes } from '../core/access.ts';
import { hasPermission, hasRole, isAdmin, isPatient, isSuperAdmin, mayCall, type SignedIn } from './sessions.ts';

const holder = (roles: SignedIn['roles']): SignedIn => ({
  textKey: '0'.repeat(64),
  token: 'token',
  user: { id: '1', username: 'rosa', name: 'Rosa', email: 'rosa@example.org', userType: 'RADIOLOGIST' },
  tenant: { name: 'Demo', subdomain: 'demo' },
  roles,
});
const reader = holder([
  { name: 'Radiologist', permissions: [{ name: 'report.edit' }] },
  { name: 'Chief', permissions: [{ name: 'audit.view' }] },
]);

test('roles and permissions are found in any spelling of case and across all roles', () => {
  expect(hasRole(reader, 'RADIOLOGIST')).toBe(true);
  expect(hasPermission(reader, 'Audit.View')).toBe(true);
  expect(hasPermission(reader, 'user.manage')).toBe(false);
});

test('isAdmin and similar functions depend only on the user type', () => {
  expect([isSuperAdmin(reader), isAdmin(reader), isPatient(reader)]).toEqual([false, false, false]);
  expect(isAdmin({ ...reader, user: { ...reader.user, userType: 'ADMIN' } })).toBe(true);
});

test('a call requires a permission, a session, or nothing', () => {
  expect(mayCall(undefined, 'public')).toBe(true);
  expect(mayCall(undefined, 'authenticated')).toBe(false);
  expect(mayCall(reader, 'authenticated')).toBe(true);
  expect(mayCall(reader, 'report.edit')).toBe(true);
  expect(mayCall(reader, 'study.delete')).toBe(false);
});

test('by default, administrators neither write nor sign reports, and patients have no permissions', () => {
  for (const userType of ['ADMIN', 'SUPER_ADMIN', 'REFERRING_PHYSICIAN'] as const) {
    expect(defaultPermissions[userType]).not.toContain('report.edit');
    expect(defaultPermissions[userType]).not.toContain('report.finalize');
  }
  expect(defaultPermissions.PATIENT).toEqual([]);
});

test('every default permission exists in the list of permissions', () => {
  const unknown = userTypes.flatMap((type) => defaultPermissions[type].filter((name) => !permissions.includes(name)));

  expect(unknown).toEqual([]);
});
