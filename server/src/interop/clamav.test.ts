import { expect, test } from 'vitest';
import { scan } from '#core/uploads/malware-scan.ts';
import { eicar, hasClamd, startClamd } from '#test/clamd.ts';
import { form, image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';

const holding = (bytes: Buffer) => ({
  size: bytes.length,
  read: async (offset: number, length: number) => bytes.subarray(offset, offset + length),
});

test.skipIf(!hasClamd)(
  'ClamAV names a virus in an infected file, and reports a clean file as clean (needs clamav-daemon)',
  async () => {
    const address = await startClamd();

    expect(await scan(address, holding(Buffer.from(eicar)))).toMatch(/^Eicar/);
    expect(await scan(address, holding(Buffer.alloc(3 << 20, 7)))).toBeUndefined();
  },
);

test.skipIf(!hasClamd)(
  'refuses a file larger than the StreamMaxLength of ClamAV with a message (needs clamav-daemon)',
  async () => {
    const address = await startClamd({ megabytes: 1 });

    await expect(scan(address, holding(Buffer.alloc(8 << 20, 7)))).rejects.toThrow(/larger than .*StreamMaxLength/s);
    expect(await scan(address, holding(Buffer.alloc(1000, 7)))).toBeUndefined();
  },
);

test.skipIf(!hasClamd)(
  'refuses an image in which ClamAV finds a virus after the pixels (needs clamav-daemon)',
  async () => {
    const { host, port } = await startClamd();
    const world = await createWorld({ CLAMD_ADDRESS: `${host}:${port}`, SCAN_IMAGES: '1' });
    const person = await world.signIn();
    const infected = image();
    infected.bytes.write(eicar, infected.bytes.length - eicar.length - 2);
    const { payload, headers } = form({ ...image(), name: 'slice.dcm' }, { ...infected, name: 'infected.dcm' });

    const { body } = await person.request({ method: 'POST', url: '/api/stow-rs/studies', payload, headers });

    expect(body).toMatch(/^Successfully processed files:\nslice.dcm\n/);
    expect(body).toMatch(/infected.dcm.*The virus scanner found a threat in the file/);
  },
);
