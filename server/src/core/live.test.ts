import { expect, onTestFinished, test, vi } from 'vitest';
import { createWorld } from '#test/world.ts';
import { systemSession } from './scope.ts';

const world = await createWorld();

test('a browser is told every twenty seconds that its stream stands, from when it came until it has gone', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const told: string[] = [];
  const session = systemSession(1);
  const remove = world.context.live.add({
    session,
    tokenHash: Buffer.alloc(32),
    write: (text) => told.push(text.toString()),
    end: () => {},
  });

  vi.advanceTimersByTime(45_000);
  remove();
  vi.advanceTimersByTime(45_000);

  expect(told).toEqual([':\n\n', ':\n\n', ':\n\n']);
});
