import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { image } from '#test/upload.ts';
import { createWorld } from '#test/world.ts';
import { type Candidate, ingest, isRefusal } from './ingest.ts';
import { writeBatch } from './write-batch.ts';

const world = await createWorld();
const { context } = world;

const candidate = async (name: string): Promise<Candidate> => {
  const blob = await context.blobs.receive(Readable.from([image().bytes]), 1 << 20);
  const outcome = await ingest(name, blob, (error) => {
    throw error;
  });
  if (isRefusal(outcome)) throw new Error(outcome.reason);
  return outcome;
};

test('a file with a value that no column can hold is refused alone, however it got there', async () => {
  const person = await world.signIn();
  const [first, odd, last] = [await candidate('first'), await candidate('odd'), await candidate('last')];
  odd.instance.rows = 2 ** 40;

  const outcomes = await writeBatch(context, person.session, [first, odd, last], {
    onlyStudy: undefined,
    audited: new Set(),
  });

  expect(outcomes).toMatchObject([
    { name: 'first', isNew: true },
    { name: 'odd', reason: 'The header of the file holds a value that cannot be stored.' },
    { name: 'last', isNew: true },
  ]);
  const stored = await person.inScope(({ db }) => db.selectFrom('instances').select('id').execute());
  expect(stored).toHaveLength(2);
});
