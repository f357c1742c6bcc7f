import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { LiveEvent } from '../../../contract/src/identity/live.ts';
import { createServerUnderTest, databaseProcesses } from '../torture/server-under-test.ts';
import { openBrowser, stretchWhileListening } from './browser.ts';
import { createCaller } from './caller.ts';
import { keyOf, makeChanges, type ChangeTimes } from './changes.ts';
import { createCallFigures, createTimes, type Times } from './call-times.ts';
import { type Clinic, fillClinics } from './clinic-users.ts';
import { megabytes, processorSeconds } from './processes.ts';
import { openStream, type Stream } from './stream.ts';

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '1000' },
    clinics: { type: 'string', default: '10' },
    studies: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '120' },
    changes: { type: 'string', default: '4' },
    /**
     * Browsers poll at the full rate even while live events arrive. This simulates an older browser next to each
     * browser.
     */
    'all-polls': { type: 'boolean', default: false },
  },
});
const size = { people: Number(values.people), clinics: Number(values.clinics), studies: Number(values.studies) };
const seconds = Number(values.seconds);
const stretch = values['all-polls'] ? 1 : stretchWhileListening;
/** Open conversations in a clinic. */
const conversations = 20;
/**
 * Browsers connect in groups: `atOnce` browsers every `everyMs` milliseconds. `settlingMs` is the time to settle after
 * the last group.
 */
const arrivals = { atOnce: 20, everyMs: 200 };
const settlingMs = 35_000;

const line = (name: string, value: string) => console.log(`  ${name.padEnd(36)}${value}`);

type Stage = { address: string; clinics: readonly Clinic[]; delays: Map<string, Times>; changeTimes: ChangeTimes };

/** Opens the browsers of all users. A stream that ends early is an error. */
const openAll = async ({ address, clinics, delays, changeTimes }: Stage, signal: AbortSignal) => {
  const figures = createCallFigures();
  const call = createCaller(address, figures);
  const streams: Stream[] = [];
  const opened = createTimes();
  const open = async (clinic: Clinic, index: number) => {
    const [person, study] = [clinic.people[index], clinic.studies[index % conversations]];
    if (!person || !study) return;
    const browser = openBrowser(call, person, clinic, { studyId: study.id, stretch }, signal);
    const began = performance.now();
    const onEvent = (event: LiveEvent) => {
      const changedAt = 'studyId' in event ? changeTimes.get(keyOf(event.kind, event.studyId)) : undefined;
      if (changedAt !== undefined) delays.get(event.kind)?.add(performance.now() - changedAt);
      browser.hear(event);
    };
    const onEnd = (words: string) => figures.fail(`stream: ${words}`);
    streams.push(await openStream(address, person.token, { onEvent, onEnd }));
    opened.add(performance.now() - began);
  };
  const everybody = clinics.flatMap((clinic) => clinic.people.map((_, index) => ({ clinic, index })));
  for (let start = 0; start < everybody.length; start += arrivals.atOnce) {
    for (const { clinic, index } of everybody.slice(start, start + arrivals.atOnce)) void open(clinic, index);
    await wait(arrivals.everyMs);
  }
  return { figures, call, streams, opened };
};

const folder = mkdtempSync(join(tmpdir(), 'radwork-bench-live-'));
const server = createServerUnderTest(folder, { LOG_LEVEL: 'error' });
const controller = new AbortController();
try {
  console.log(
    `Node ${process.version}, ${availableParallelism()} cores, clients and server and database on this machine`,
  );
  await server.start();
  const clinics = await fillClinics(folder, size);
  const changeTimes: ChangeTimes = new Map();
  const delays = new Map(['study', 'chat'].map((kind) => [kind, createTimes()]));
  const processes = { server: [server.pid()], database: databaseProcesses(folder) };
  const before = megabytes(processes.server);

  const { figures, call, streams, opened } = await openAll(
    { address: server.address(), clinics, delays, changeTimes },
    controller.signal,
  );
  const changing = makeChanges(
    call,
    clinics,
    { conversations, perSecond: Number(values.changes) },
    changeTimes,
    controller.signal,
  );
  await wait(settlingMs);
  console.log(
    `\n${streams.length} people in ${size.clinics} clinics listen and poll${stretch > 1 ? ` ${stretch} times less often than those who do not` : ' as often as those who do not'}; load ${loadavg()[0]?.toFixed(1)}`,
  );
  line('a stream stands after', opened.line());

  figures.begin();
  processes.database = databaseProcesses(folder);
  const began = { at: performance.now(), server: processorSeconds(processes.server) };
  const databaseBegan = processorSeconds(processes.database);
  const ownBegan = process.cpuUsage();
  await wait(seconds * 1000);
  const took = (performance.now() - began.at) / 1000;
  const percent = (used: number) => `${((used / took) * 100).toFixed(0)} % of a core`;
  const own = process.cpuUsage(ownBegan);

  console.log(`\nCalls in ${took.toFixed(0)} s, ${(figures.all.count() / took).toFixed(0)} a second`);
  line('all', figures.all.line());
  for (const [kind, times] of [...figures.byKind].toSorted(([one], [other]) => one.localeCompare(other)))
    line(kind, times.line());
  console.log('\nFrom a change being sent to its being heard of');
  for (const [kind, times] of delays) line(kind, times.line());
  console.log('\nWhat it took');
  line(
    'server',
    `${percent(processorSeconds(processes.server) - began.server)}, ${megabytes(processes.server).toFixed(0)} MB (${before.toFixed(0)} MB before)`,
  );
  line(
    'database',
    `${percent(processorSeconds(processes.database) - databaseBegan)}, ${megabytes(databaseProcesses(folder)).toFixed(0)} MB`,
  );
  line('this program', percent((own.user + own.system) / 1e6));
  console.log(`\nErrors: ${figures.errors.size === 0 ? 'none' : ''}`);
  for (const [words, count] of figures.errors) line(words, String(count));

  controller.abort();
  await changing;
  for (const stream of streams) stream.close();
} finally {
  controller.abort();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
