import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { recordDiskCalls } from '#test/disk-calls.ts';
import { openLocalBlobStore } from './local-blob-store.ts';

// Checks the same order as sync-order.test.ts, for machines without strace.

const opened = async () => {
  const root = mkdtempSync(join(tmpdir(), 'radwork-durable-'));
  const log = join(root, 'log');
  const { note, end } = recordDiskCalls(log);
  const store = await openLocalBlobStore(join(root, 'store'));
  onTestFinished(async () => {
    await store.close();
    end();
    rmSync(root, { recursive: true });
  });
  const notes = new Set<string>();
  const noteHere = (text: string) => {
    notes.add(text);
    note(text);
  };
  /** Returns the calls so far, with paths relative to the store. Other tests of this process may write other files. */
  const calls = () =>
    readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .filter((call) => notes.has(call) || call.includes(join(root, 'store')))
      .map((call) => call.replaceAll(join(root, 'store'), '').replaceAll(/incoming\/.+/g, 'incoming/…'));
  return { store: Object.assign(store, { root: join(root, 'store') }), note: noteHere, calls };
};

test.skipIf(process.platform === 'win32')(
  'a store syncs a file before its rename, and syncs each changed folder before keep() resolves',
  async () => {
    const { store, note, calls } = await opened();
    note('opened');

    const blob = await store.receive(Readable.from([Buffer.from('bytes')]), 5, 7);
    await blob.sync();
    note('said to be on disk');
    await store.keep(7, [blob]);
    note('said to be kept');

    const sha256 = await blob.sha256;
    const folder = `/7/${sha256.slice(0, 2)}`;
    expect(calls().slice(calls().indexOf('opened') + 1)).toEqual([
      'synced /incoming/…',
      'said to be on disk',
      'synced ',
      'synced /7',
      `named ${folder}/${sha256}`,
      `synced ${folder}`,
      'said to be kept',
    ]);
  },
);

test.skipIf(process.platform === 'win32')(
  'a file that a failed call has moved is kept by the next call, which syncs its folder',
  async () => {
    const { store, note, calls } = await opened();
    const [good, bad] = await Promise.all(
      ['good', 'bad'].map((text) => store.receive(Readable.from([Buffer.from(text)]), text.length, 7)),
    );
    if (!good || !bad) throw new Error('Two files were received');
    await Promise.all([good.sync(), bad.sync()]);
    const [sha256, shaOfBad] = await Promise.all([good.sha256, bad.sha256]);
    // A folder of this name makes the rename of the second file fail.
    mkdirSync(join(store.root, '7', shaOfBad.slice(0, 2), shaOfBad), { recursive: true });
    await expect(store.keep(7, [good, bad])).rejects.toThrow('EISDIR');
    note('again');

    await store.keep(7, [good]);

    expect(calls().slice(calls().indexOf('again') + 1)).toContain(`synced /7/${sha256.slice(0, 2)}`);
    expect(await store.read(7, sha256, 0, 4)).toEqual(Buffer.from('good'));
  },
);
