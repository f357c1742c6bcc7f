import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createWorld, type Person } from '#test/world.ts';
import { createAuditReads } from './audit-reads.ts';
import type { AuditedAct, Subject } from './audit.ts';

const world = await createWorld();

/** Creates a separate recorder of reads and collects the audit entries that the recorder loses. */
const noteReads = () => {
  const lost: AuditedAct[] = [];
  const errors: unknown[] = [];
  const reads = createAuditReads({
    scopes: world.context.scopes,
    onError: (error, acts) => {
      errors.push(error);
      lost.push(...acts);
    },
  });
  const note = (person: Person, action: string, subject: Partial<Subject> = {}) =>
    reads.note({ session: person.session, action, subject: { entity: 'study', ...subject } });
  const lostActions = () => lost.map(({ action }) => action);
  return { flush: reads.flush, note, errors, lostActions };
};

const writtenOf = async (person: Person) => {
  const rows = await person.inScope(({ db }) =>
    db.selectFrom('audit_entries').select('action').orderBy('id').execute(),
  );
  return rows.map(({ action }) => action);
};

test('drops and reports an audit entry that the database rejects, and writes all other entries in order', async () => {
  const [person, other] = [await world.signIn('ADMIN'), await world.signIn('ADMIN')];
  const { note, flush, errors, lostActions } = noteReads();
  for (let one = 1; one <= 7; one += 1) note(person, `study.${one}`);
  note(person, 'report.refused', { entity: 'report', entityId: 'no id' });
  note(person, 'study.8', { detail: { words: 'before' } });
  note(person, 'study.refused', { detail: { words: 'a\0b' } });
  note(person, 'study.9');
  note(other, 'study.elsewhere');

  await flush();
  await flush();

  expect(await writtenOf(person)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map((one) => `study.${one}`));
  expect(await writtenOf(other)).toEqual(['study.elsewhere']);
  expect(lostActions()).toEqual(['report.refused', 'study.refused']);
  expect(errors.map(String)).toEqual([
    expect.stringContaining('invalid input syntax for type uuid'),
    expect.stringContaining('Unicode escape'),
  ]);
});

test('keeps audit entries while the database rejects all of them, and writes them afterwards', async () => {
  const person = await world.signIn('ADMIN');
  const { note, flush, errors, lostActions } = noteReads();
  await sql`revoke insert (action) on audit_entries from radwork_app`.execute(world.owner);
  note(person, 'study.1');
  note(person, 'study.2');

  await flush();
  const meanwhile = await writtenOf(person);
  await sql`grant insert (action) on audit_entries to radwork_app`.execute(world.owner);
  await flush();

  expect(meanwhile).toEqual([]);
  expect(errors.map(String)).toEqual([expect.stringContaining('permission denied')]);
  expect(await writtenOf(person)).toEqual(['study.1', 'study.2']);
  expect(lostActions()).toEqual([]);
});
