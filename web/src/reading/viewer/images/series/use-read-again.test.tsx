import { cache, type Types } from '@cornerstonejs/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import type { PropsWithChildren } from 'react';
import { expect, test } from 'vitest';
import { useReadAgain } from './use-read-again.ts';
import { imageIdOf, seriesImages } from './series-loader.ts';

const [study, series] = ['2.25.30', '2.25.31'];

const image = (number: number) => ({
  imageId: imageIdOf(study, series, `2.25.${number}`, 1),
  header: {},
  frame: 1,
  numberOfFrames: 1,
  instanceNumber: number,
  plane: undefined,
});

const decoded = (imageId: string) => ({ imageId, sizeInBytes: 1000 }) as Types.IImage;

test('when a series is read again, all its pixels are dropped, even those that still load', async () => {
  const [loaded, coming] = [image(1), image(2)];
  const client = new QueryClient();
  client.setQueryData(seriesImages(study, series).queryKey, [loaded, coming]);
  cache.putImageSync(loaded.imageId, decoded(loaded.imageId));
  const request = Promise.withResolvers<Types.IImage>();
  const arrival = cache.putImageLoadObject(coming.imageId, { promise: request.promise });
  const wrapper = ({ children }: PropsWithChildren) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );

  renderHook(() => useReadAgain(), { wrapper }).result.current(study, series);
  request.resolve(decoded(coming.imageId));
  await arrival;

  expect([loaded, coming].map(({ imageId }) => cache.isLoaded(imageId))).toEqual([false, false]);
});
