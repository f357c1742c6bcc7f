import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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
  /** Returns the calls so far, with paths relative to the store. */
  const calls = () =>
    readFileSync(log, 'utf8')
      .replaceAll(join(root, 'store'), '')
      .replaceAll(/incoming\/.+/g, 'incoming/…')
      .trim()
      .split('\n');
  return { store, note, calls };
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
