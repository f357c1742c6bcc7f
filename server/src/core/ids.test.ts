import { expect, test, vi } from 'vitest';
import { isId, newId } from './ids.ts';

test('an id is a UUID of version 7 that says when it was made', () => {
  const before = Date.now();
  const id = newId();
  const after = Date.now();

  expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  const madeAt = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  expect(madeAt).toBeGreaterThanOrEqual(before);
  // Of more ids than fit into a millisecond the next ones are used.
  expect(madeAt).toBeLessThanOrEqual(after + 100);
});

test('no two ids are alike, and each sorts behind those that were made before it', () => {
  const ids = Array.from({ length: 100_000 }, newId);

  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
});

test('ids go with a clock that was put back', () => {
  vi.useFakeTimers({ now: Date.now() + 3_600_000 });
  newId();
  vi.useRealTimers();

  expect(Number.parseInt(newId().replaceAll('-', '').slice(0, 12), 16)).toBeLessThan(Date.now() + 1000);
});

test('only a UUID is an id', () => {
  expect(isId(newId())).toBe(true);
  expect(isId(newId().toUpperCase())).toBe(true);
  for (const text of ['', '7', '1.2.840.10008', `${newId()}0`, `${newId()}\n`, `{${newId()}}`, '../etc/passwd']) {
    expect({ text, isId: isId(text) }).toEqual({ text, isId: false });
  }
});
