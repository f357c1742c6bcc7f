import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readHeader } from '@radwork/dicom/header';
import { expect, test } from 'vitest';
import {
  type BrokenFile,
  brokenFile,
  haveSharedFiles,
  haveSharedGenerator,
  malformedFiles,
  sharedBrokenFiles,
} from '#test/broken-files.ts';
import { uploadBrokenFiles } from '#test/upload-broken-files.ts';
import { spawnServer } from '#test/spawned-server.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();

/** Sends files to a new server. Each must be refused with a message or be returned unchanged. */
const feedServer = async (files: AsyncIterable<BrokenFile> | Iterable<BrokenFile>) => {
  const { token } = await world.signIn();
  const { address, isRunning } = await spawnServer(world);
  const outcomes = await uploadBrokenFiles({ address, token }, files, 4);
  return { ...outcomes, isRunning: isRunning() };
};

/** True when a file has all UIDs that a call needs to read the file again. */
const isReadable = (bytes: Buffer): boolean => {
  try {
    return readHeader(bytes).sopInstanceUID !== '';
  } catch {
    return false;
  }
};

const ownFiles = Array.from({ length: 90 }, (_, index) => brokenFile('1', index));

test(
  'files broken in every known way are refused with a message or stored unchanged',
  { timeout: 120_000 },
  async () => {
    const { stored, refused, wrong, isRunning } = await feedServer(ownFiles);

    expect({ wrong, isRunning }).toEqual({ wrong: [], isRunning: true });
    expect([stored > 10, refused > 10]).toEqual([true, true]);
  },
);

test('the check detects a server that crashes, changes a file or refuses a file without a message', async () => {
  const fails = { store: 500, words: 'Internal Server Error', gives: Buffer.alloc(0) };
  const defects = {
    fails,
    'changes what it keeps': { ...fails, store: 200 },
    'refuses without a word': { ...fails, store: 409, words: '' },
  };
  const readable = ownFiles.filter(({ bytes }) => isReadable(bytes)).slice(0, 5);
  for (const [defect, { store, words, gives }] of Object.entries(defects)) {
    const planted = createServer((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(request.method === 'POST' ? store : 200).end(request.method === 'POST' ? words : gives);
      });
    });
    await new Promise<void>((resolve) => planted.listen(0, '127.0.0.1', resolve));
    const { port } = planted.address() as AddressInfo;

    const { wrong } = await uploadBrokenFiles({ address: `http://127.0.0.1:${port}`, token: 'x' }, readable, 2);

    planted.closeAllConnections();
    planted.close();
    expect({ defect, found: wrong.length }).toEqual({ defect, found: 5 });
  }
});

test.skipIf(!haveSharedGenerator)(
  '2,000 files of another generator are refused or stored unchanged (skipped without ../shared/security/fuzz-dicom.mjs)',
  { timeout: 600_000 },
  async () => {
    const { stored, refused, wrong, isRunning } = await feedServer(sharedBrokenFiles('1', 2000, 3));

    expect({ wrong, isRunning }).toEqual({ wrong: [], isRunning: true });
    expect(stored + refused).toBeGreaterThan(1800);
  },
);

test.skipIf(!haveSharedFiles)(
  'all collected files are refused or stored unchanged (skipped without ../shared/dicom/malformed)',
  { timeout: 120_000 },
  async () => {
    const { stored, refused, wrong, reasons } = await feedServer(malformedFiles());

    expect(wrong).toEqual([]);
    expect(stored + refused).toBe(malformedFiles().length);
    expect([...reasons.keys()]).toContain('The file is incomplete: its end is missing.');
  },
);
