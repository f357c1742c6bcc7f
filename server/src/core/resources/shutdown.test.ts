import { expect, test } from 'vitest';
import { createShutdown } from './shutdown.ts';

test('closes resources in reverse order, continues after failures and returns the failures', async () => {
  const closing = createShutdown();
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
  // Throws synchronously instead of returning a promise.
  closing.add(() => {
    throw stuck;
  });
  open('calls');

  expect(await closing.closeAll()).toEqual([stuck, stuck, away]);
  expect(closed).toEqual(['calls', 'threads', 'store', 'database']);
  expect(await closing.closeAll()).toEqual([]);
});
