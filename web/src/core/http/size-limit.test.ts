import { expect, test, vi } from 'vitest';
import { readWithin, SizeLimitError } from './size-limit.ts';

const lengthOf = (length: number) => ({ headers: { 'content-length': String(length) } });

test('a body whose declared length exceeds the limit is not read, and its rest is not fetched', async () => {
  const cancel = vi.fn<() => void>();
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)), cancel });

  await expect(readWithin(new Response(body, lengthOf(11)), 10)).rejects.toBeInstanceOf(SizeLimitError);
  expect(cancel).toHaveBeenCalledOnce();
});

test('a body that exceeds the limit despite its declared length is refused', async () => {
  await expect(readWithin(new Response('x'.repeat(11), lengthOf(3)), 10)).rejects.toBeInstanceOf(SizeLimitError);
  await expect(readWithin(new Response('x'.repeat(11)), 10)).rejects.toBeInstanceOf(SizeLimitError);
});

test('a body within the size limit is read', async () => {
  expect(await (await readWithin(new Response('x'.repeat(10), lengthOf(10)), 10)).text()).toBe('x'.repeat(10));
});
