import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLocalBlobStore } from './core/blobs/disk/local-blob-store.ts';
import { form, image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';
import { createApp } from './app.ts';

const world = await createWorld();

/** Mounts a disk of a few megabytes. Undefined when this user may not mount. */
const mountSmallDisk = (): { folder: string; unmount: () => void } | undefined => {
  const folder = mkdtempSync(join(tmpdir(), 'radwork-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]);
  const unmount = () => {
    if (status === 0) spawnSync('umount', [folder]);
    rmSync(folder, { recursive: true, force: true });
  };
  if (status === 0) return { folder, unmount };
  unmount();
  return undefined;
};

const probe = mountSmallDisk();
probe?.unmount();

test.skipIf(!probe)(
  'a full disk stores nothing, and uploads work again once there is space (skipped without the right to mount)',
  async () => {
    const person = await world.signIn();
    const { folder = '', unmount } = mountSmallDisk() ?? {};
    onTestFinished(() => unmount?.());
    const blobs = await openLocalBlobStore(folder);
    const config = { ...world.context.config, freeDiskBytes: 0 };
    const app = await createApp({ ...world.context, config, blobs }, join(world.dataDir, 'no-web'));
    const upload = form(image({ Rows: 512, Columns: 512 }));
    const send = () =>
      app.inject({
        method: 'POST',
        url: '/dicom-web/studies',
        payload: upload.payload,
        headers: { ...upload.headers, authorization: `Bearer ${person.token}` },
      });
    await mkdir(join(folder, 'other'));
    await writeFile(join(folder, 'other', 'filler'), Buffer.alloc(4 << 20)).catch(() => {});

    const full = await send();
    const leftovers = readdirSync(join(folder, 'incoming'));
    await rm(join(folder, 'other'), { recursive: true });
    const again = await send();
    await app.close();
    await blobs.close();

    expect(full.statusCode).toBe(507);
    expect(full.body).toContain('image.dcm: The server is out of storage space.\n');
    expect(leftovers).toEqual([]);
    expect(again.statusCode).toBe(200);
  },
);
