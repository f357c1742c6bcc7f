import { live, type LiveEvent, liveEvent } from '@radwork/contract/identity/live';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { eventually } from './eventually.ts';
import type { Person, World } from './world.ts';

export type Listening = { events: LiveEvent[]; ended: Promise<void>; response: Response };

/**
 * Connects a world's server to the event channel and starts it over HTTP. Returns a function by which users listen
 * until the test ends.
 */
export const listeningTo = (world: World) => {
  let own = '';
  let stops: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    stops = [world.context.sessions.listen(world.url), world.context.live.listen(world.url)];
    own = await world.app.listen({ port: 0, host: '127.0.0.1' });
    await eventually(async () => {
      const { rows } = await world.sql`
        select from pg_stat_activity
        where datname = current_database() and query = 'listen live' and state = 'idle'`.execute(world.owner);
      if (rows.length === 0) throw new Error('The server does not listen yet');
    });
  });
  afterAll(() => Promise.all(stops.map((stop) => stop())));

  return async (
    { token }: Pick<Person, 'token'>,
    { server, headers }: { server?: string; headers?: Record<string, string> } = {},
  ): Promise<Listening> => {
    const controller = new AbortController();
    onTestFinished(() => controller.abort());
    const response = await fetch(`${server ?? own}${live.path}`, {
      headers: { authorization: `Bearer ${token}`, 'x-poll': '1', ...headers },
      signal: controller.signal,
    });
    const events: LiveEvent[] = [];
    return { response, events, ended: read(response, events).catch(() => {}) };
  };
};

const read = async ({ body }: Response, events: LiveEvent[]) => {
  let text = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    const payloads = blocks.filter((block) => block.startsWith('data: ')).map((block) => block.slice('data: '.length));
    events.push(...payloads.map((payload) => liveEvent.parse(JSON.parse(payload))));
  }
};

/** Waits for a number of events and returns them. */
export const receiveEvents = async ({ events }: Listening, count = 1): Promise<LiveEvent[]> => {
  await eventually(() => {
    if (events.length < count) throw new Error(`Heard ${events.length} of ${count}`);
  });
  return events;
};
