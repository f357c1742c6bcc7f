import { expect, test } from 'vitest';
import { createClosing } from './closing.ts';

test('what was opened last is closed first, and what cannot be closed keeps nothing else open and is told', async () => {
  const closing = createClosing();
  const closed: string[] = [];
  const open = (name: string, failure?: Error) =>
    closing.add(async () => {
      closed.push(name);
      if (failure) throw failure;
    });
  const [away, stuck] = [new Error('The database is away'), new Error('A thread is stuck')];
  open('database', away);
  open('store');
  open('threads', stuck);
  // Not even a promise of it.
  closing.add(() => {
    throw stuck;
  });
  open('calls');

  expect(await closing.closeAll()).toEqual([stuck, stuck, away]);
  expect(closed).toEqual(['calls', 'threads', 'store', 'database']);
  expect(await closing.closeAll()).toEqual([]);
});
