import { expect, test } from 'vitest';
import { secretKeyOf } from './secret-key.ts';
import { createVault, type SealedColumn, VaultError } from './vault.ts';

const [oldKey, newKey] = ['the first secret of this installation', 'the second secret of this installation'].map(
  secretKeyOf,
);
if (!oldKey || !newKey) throw new Error('Two keys are needed');
const vault = createVault(oldKey);
const place: SealedColumn = { tenantId: 1, table: 'remote_configurations', row: 'a', column: 'password' };

test('a sealed secret opens only in its own database field and does not show its text', () => {
  const sealed = vault.seal('Pässwört', place);

  expect(vault.open(sealed, place)).toBe('Pässwört');
  expect(sealed).not.toContain('Pässwört');
  expect(vault.seal('Pässwört', place)).not.toBe(sealed);
});

test.each([
  ['another tenant', { tenantId: 2 }],
  ['another table', { table: 'users' }],
  ['another row', { row: 'b' }],
  ['another column', { column: 'token' }],
])('a sealed secret moved to %s does not open', (_, moved) => {
  const sealed = vault.seal('password', place);

  expect(() => vault.open(sealed, { ...place, ...moved })).toThrow(VaultError);
  expect(createVault(newKey, [oldKey]).reseal(sealed, { ...place, ...moved })).toBeUndefined();
});

test('a sealed secret with any changed character does not open', () => {
  const sealed = vault.seal('password', place);

  for (let index = 0; index < sealed.length; index += 1) {
    const other = sealed[index] === 'A' ? 'B' : 'A';
    const changed = `${sealed.slice(0, index)}${other}${sealed.slice(index + 1)}`;
    expect(() => vault.open(changed, place)).toThrow(VaultError);
  }
});

test.each(['', 'v1', 'v1...', 'v2.a.b.c', 'v1.a.b.c.d', 'password'])('"%s" is not a sealed secret', (text) => {
  expect(() => vault.open(text, place)).toThrow(VaultError);
});

test('secrets open during a key change and can be sealed with the new key', () => {
  const sealed = vault.seal('password', place);
  const changing = createVault(newKey, [oldKey]);

  expect(changing.open(sealed, place)).toBe('password');
  expect(changing.isCurrent(sealed)).toBe(false);
  const moved = changing.reseal(sealed, place) ?? '';

  expect(changing.isCurrent(moved)).toBe(true);
  expect(changing.reseal(moved, place)).toBeUndefined();
  expect(createVault(newKey).reseal(sealed, place)).toBeUndefined();
  expect(createVault(newKey).open(moved, place)).toBe('password');
  expect(() => createVault(newKey).open(sealed, place)).toThrow(VaultError);
  expect(() => vault.open(moved, place)).toThrow(VaultError);
});

test('a sealed secret made of parts of two secrets does not open', () => {
  const [one, other] = [vault.seal('one', place).split('.'), vault.seal('other', place).split('.')];

  expect(() => vault.open([...one.slice(0, 3), other[3]].join('.'), place)).toThrow(VaultError);
});
