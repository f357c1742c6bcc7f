import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createWorld } from '#test/world.ts';
import { StorageUnavailable } from '#core/blobs/blob-store.ts';
import { errorFacts, faultLine } from './request-log.ts';

const world = await createWorld();

test('logs code and location of a database error, but no value of a row', async () => {
  const twice = world.context.scopes.withoutTenant((db) =>
    db
      .insertInto('login_failures')
      .values({ account: Buffer.alloc(1), address: null as unknown as string })
      .execute(),
  );
  const error: unknown = await twice.catch((reason: unknown) => reason);

  expect(error).toBeInstanceOf(pg.DatabaseError);
  const facts = errorFacts(error);
  expect(facts).toMatchObject({ code: '23502', table: 'login_failures', stack: expect.stringContaining('    at ') });
  expect(JSON.stringify(facts)).not.toContain((error as pg.DatabaseError).message);
  expect(JSON.stringify(facts)).not.toContain((error as pg.DatabaseError).detail);
});

test('logs the messages of our own errors, but not those of a parser, which quote its input', () => {
  const parsing = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch (error) {
      return error;
    }
  };
  const error = parsing('Doe^John');

  expect(errorFacts(new Error('the blob store is full'))).toMatchObject({ message: 'the blob store is full' });
  expect(String(error)).toContain('Doe');
  expect(JSON.stringify(errorFacts(error))).not.toContain('Doe');
});

test('logs why a store is unreachable, but does not tell the caller', () => {
  const error = new StorageUnavailable('AccessDenied');

  expect(errorFacts(error)).toMatchObject({ reason: 'AccessDenied' });
  expect(JSON.stringify(error.body('trace'))).not.toContain('AccessDenied');
});

test('logs an error outside a call without the values of a row', async () => {
  const cast = world.context.scopes.withoutTenant((db) => sql`select ${'Doe^John'}::text::date`.execute(db));
  const error: unknown = await cast.catch((reason: unknown) => reason);

  const line = faultLine(50, 'The audit log could not be written', error);

  expect(String(error)).toContain('Doe^John');
  expect(line).not.toContain('Doe');
  expect(JSON.parse(line)).toMatchObject({
    level: 50,
    msg: 'The audit log could not be written',
    err: { code: '22007' },
  });
  expect(line.endsWith('}\n')).toBe(true);
});

test('logs a thrown value that is not an Error by its type', () => {
  expect(errorFacts(null)).toMatchObject({ type: 'object' });
  expect(errorFacts('Doe^John')).toEqual({ type: 'string', message: 'not an error', stack: '' });
});
