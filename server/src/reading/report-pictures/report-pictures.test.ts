import { createServer, type RequestListener } from 'node:http';
import { reportPictures } from '@radwork/contract/reading/report-pictures';
import { imageTypeOf, stripImageMetadata } from '@radwork/contract/image-files';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { readAllowRules } from '#core/outgoing/allow-rules.ts';
import { openOutgoing } from '#core/outgoing/open-outgoing.ts';
import { createWorld } from '#test/world.ts';
import { fetchPicture } from './service.ts';

const world = await createWorld();
const writer = await world.signIn();

/** Starts a web site that the rules allow, and fetches an image from it. */
const fetchFrom = async (handle: RequestListener) => {
  const site = createServer(handle);
  const port = await new Promise<number>((resolve) => {
    site.listen(0, '127.0.0.1', () => {
      const address = site.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  const rules = readAllowRules(`net=127.0.0.1 ports=${port} protocols=http`);
  const outgoing = openOutgoing({ remoteAllow: rules, remoteCaFile: undefined, remoteTimeoutSeconds: 5 });
  onTestFinished(async () => {
    await outgoing.close();
    site.closeAllConnections();
    site.close();
  });
  return fetchPicture(outgoing, writer.session, { url: `http://127.0.0.1:${port}/a.png` });
};

const wide = () => sharp({ create: { width: 1600, height: 900, channels: 4, background: '#3060c0' } });

const bytesOf = (src: string) => Buffer.from(src.slice(src.indexOf(',') + 1), 'base64');

test('embeds a remote image as a small JPEG without metadata', async () => {
  const camera = await wide()
    .withExif({ IFD0: { Artist: 'Somebody' } })
    .png()
    .toBuffer();

  const picture = await fetchFrom((_, response) => response.end(camera));

  expect(picture).toMatchObject({ width: 400, height: 225, src: expect.stringMatching(/^data:image\/jpeg;base64,/) });
  const metadata = await sharp(bytesOf(picture.src)).metadata();
  expect(metadata).toMatchObject({ format: 'jpeg', width: 400, height: 225 });
  expect(metadata.exif).toBeUndefined();
});

test.each<[what: string, handle: RequestListener, message: RegExp]>([
  [
    'an HTML page',
    (_, response) => response.end('<html><script>alert(1)</script></html>'),
    /No PNG, JPEG, GIF or WebP/,
  ],
  ['an SVG image', (_, response) => response.end('<svg xmlns="http://www.w3.org/2000/svg"/>'), /No PNG/],
  [
    'an HTML page with the media type of an image',
    (_, response) => response.setHeader('content-type', 'image/png').end('<html>'),
    /No PNG/,
  ],
  [
    'a truncated image',
    (_, response) => response.end(Buffer.from('89504e470d0a1a0a0000', 'hex')),
    /damaged or too large/,
  ],
  ['a missing image', (_, response) => response.writeHead(404).end(), /returned status 404/],
  [
    'a redirect to an internal service',
    (_, response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end(),
    /Could not load the image/,
  ],
  ['a file of more than 10 MB', (_, response) => response.end(Buffer.alloc(10_000_001, 0xff)), /larger than 10 MB/],
])('refuses %s as an image with a message', async (_, handle, message) => {
  await expect(fetchFrom(handle)).rejects.toMatchObject({ status: 422, message: expect.stringMatching(message) });
});

test('refuses a small image file that claims huge dimensions', async () => {
  const huge = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#000000' } })
    .png()
    .toBuffer();

  await expect(fetchFrom((_, response) => response.end(huge))).rejects.toMatchObject({ status: 422 });
});

test.each([
  ['http://example.org/a.png', 'Use an address that begins with https://'],
  ['file:///etc/passwd', 'Use an address that begins with https://'],
  ['picture.png', 'Use an address that begins with https://'],
  ['', 'URL is required'],
  ['https://127.0.0.1/a.png', 'Images from this address are not allowed'],
  ['https://169.254.169.254/latest/meta-data', 'Images from this address are not allowed'],
  ['https://10.0.0.1/a.png', 'Images from this address are not allowed'],
])('refuses the image address %j with a message that reveals nothing internal', async (url, message) => {
  const answer = await writer.send(reportPictures.fetch, { body: { url } });

  expect(answer).toMatchObject({ status: 422, errors: [{ field: 'url', message }] });
});

test.each(['jpeg', 'png', 'webp'] as const)(
  'removes EXIF data from a %s file and does not change its pixels',
  async (format) => {
    const original = await wide()
      .removeAlpha()
      .withExif({ IFD0: { Artist: 'Somebody', ImageDescription: 'Doe, Jane' } })
      .toFormat(format)
      .toBuffer();

    const stripped = stripImageMetadata(original);

    expect((await sharp(original).metadata()).exif).toBeDefined();
    expect(imageTypeOf(stripped)).toBe(format);
    expect((await sharp(stripped).metadata()).exif).toBeUndefined();
    expect(Buffer.from(stripped).includes('Somebody')).toBe(false);
    expect(await sharp(stripped).raw().toBuffer()).toEqual(await sharp(original).raw().toBuffer());
    expect(stripImageMetadata(stripped)).toEqual(stripped);
  },
);

test('removes metadata from a truncated file as far as the file can be read', async () => {
  const original = await wide()
    .removeAlpha()
    .withExif({ IFD0: { Artist: 'Somebody' } })
    .jpeg()
    .toBuffer();

  for (let length = 0; length < 400; length += 1) {
    expect(stripImageMetadata(original.subarray(0, length)).length).toBeLessThanOrEqual(length);
  }
});
