import { expect, onTestFinished, test, vi } from 'vitest';
import { createWorld } from '#test/world.ts';
import { watchForAudit } from './call-audit.ts';

const world = await createWorld();
const { auditReads } = world.context;

test('audits a repeated read every 5 minutes, a polled read every hour, and each refused call', async () => {
  const person = await world.signIn('ADMIN');
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const polling = { ...person.session, isPoll: true };
  const look = () => {
    auditReads.recordReading(person.session, 'study.view', { entity: 'study' }, 'looks');
    auditReads.recordReading(polling, 'study.list', { entity: 'study' }, 'polls');
    watchForAudit(auditReads).refused(polling, 'GET /api/audit', 403);
  };
  const refused = 'access.refuse';
  const pass = (minutes: number) => vi.advanceTimersByTime(minutes * 60_000);

  look();
  pass(4);
  look();
  pass(2);
  look();
  pass(55);
  look();
  await auditReads.flush();

  const rows = await person.inScope(({ db }) =>
    db.selectFrom('audit_entries').select('action').orderBy('id').execute(),
  );
  expect(rows.map(({ action }) => action)).toEqual(
    [
      ['study.view', 'study.list', refused],
      ['study.view', refused],
      ['study.view', 'study.list', refused],
    ].flat(),
  );
});
