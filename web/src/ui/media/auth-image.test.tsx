import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { answerBytes, serve, show } from '#test/screen.tsx';
import { AuthImage } from './auth-image.tsx';

const path = '/api/wado-rs/studies/1.2/rendered';

// jsdom has no object URLs.
const objectUrls = new Set<string>();
let lastNumber = 0;
URL.createObjectURL = () => {
  const url = `blob:picture-${++lastNumber}`;
  objectUrls.add(url);
  return url;
};
URL.revokeObjectURL = (url) => void objectUrls.delete(url);
afterEach(() => vi.unstubAllGlobals());

test('an image is fetched with the token, shown, and freed when it is removed', async () => {
  const sent = serve(answerBytes(path, () => new Response(new Uint8Array([255, 216]))));
  const { unmount } = show(<AuthImage path={path} alt="Middle image" />);

  const image = await screen.findByRole('img', { name: 'Middle image' });

  expect(sent[0]?.headers.get('authorization')).toMatch(/^Bearer /);
  await waitFor(() => expect(objectUrls).toContain(image.getAttribute('src')));
  unmount();
  expect(objectUrls.size).toBe(0);
});

test.each([
  [404, 'No image'],
  [500, 'Image not available'],
])('an image whose answer has status %i shows "%s"', async (status, words) => {
  serve(answerBytes(path, () => new Response('', { status })));

  show(<AuthImage path={path} alt="Middle image" />);

  expect(await screen.findByText(words)).toBeDefined();
});

test('an image that is not there right after an upload appears without a reload', async () => {
  let requestCount = 0;
  serve(
    answerBytes(path, () => {
      requestCount += 1;
      return requestCount === 1 ? new Response('', { status: 404 }) : new Response(new Uint8Array([255, 216]));
    }),
  );

  show(<AuthImage path={path} alt="Middle image" />);

  expect(await screen.findByText('No image')).toBeDefined();
  expect(await screen.findByRole('img', { name: 'Middle image' }, { timeout: 15_000 })).toBeDefined();
  expect(requestCount).toBe(2);
}, 30_000);
