import { expect, test, vi } from 'vitest';
import { isId, newId } from './ids.ts';

test('an id is a UUID of version 7 that contains its creation time', () => {
  const before = Date.now();
  const id = newId();
  const after = Date.now();

  expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  const madeAt = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  expect(madeAt).toBeGreaterThanOrEqual(before);
  // Ids that do not fit into one millisecond use the next milliseconds.
  expect(madeAt).toBeLessThanOrEqual(after + 100);
});

test('ids are unique and sort in the order of their creation', () => {
  const ids = Array.from({ length: 100_000 }, newId);

  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
});

test('ids remain in order after the clock is set back', () => {
  vi.useFakeTimers({ now: Date.now() + 3_600_000 });
  newId();
  vi.useRealTimers();

  expect(Number.parseInt(newId().replaceAll('-', '').slice(0, 12), 16)).toBeLessThan(Date.now() + 1000);
});

test('only a UUID is a valid id', () => {
  expect(isId(newId())).toBe(true);
  expect(isId(newId().toUpperCase())).toBe(true);
  for (const text of ['', '7', '1.2.840.10008', `${newId()}0`, `${newId()}\n`, `{${newId()}}`, '../etc/passwd']) {
    expect({ text, isId: isId(text) }).toEqual({ text, isId: false });
  }
});
