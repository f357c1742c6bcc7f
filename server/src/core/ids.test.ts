import { expect, test } from 'vitest';
import { isId, newId } from './ids.ts';

test('an id is a UUID of version 7 that says when it was made', () => {
  const before = Date.now();
  const id = newId();
  const after = Date.now();

  expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  const madeAt = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  expect(madeAt).toBeGreaterThanOrEqual(before);
  expect(madeAt).toBeLessThanOrEqual(after);
});

test('no two ids are alike', () => {
  const ids = Array.from({ length: 10_000 }, newId);

  expect(new Set(ids).size).toBe(ids.length);
});

test('only a UUID is an id', () => {
  expect(isId(newId())).toBe(true);
  expect(isId(newId().toUpperCase())).toBe(true);
  for (const text of ['', '7', '1.2.840.10008', `${newId()}0`, `${newId()}\n`, `{${newId()}}`, '../etc/passwd']) {
    expect({ text, isId: isId(text) }).toEqual({ text, isId: false });
  }
});
