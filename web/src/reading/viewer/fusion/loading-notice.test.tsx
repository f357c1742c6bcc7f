import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { show } from '#test/screen.tsx';
import { LoadingNotice } from './loading-notice.tsx';

const image = { instanceNumber: 3, position: 3 } as unknown as SeriesImage;
const failed = (isForGood: boolean) => ({ image, reason: 'The image is damaged.', isForGood });

test.each([
  ['no retry', [failed(true)], 0],
  ['a retry', [failed(true), failed(false)], 1],
])('a volume with missing slices offers %s for the failures %o', (_, missing, buttons) => {
  const arrival = { loaded: 0, total: 2, failed: missing };
  show(<LoadingNotice layers={[{ name: 'PET', arrival, retry: () => {} }]} />);

  expect(screen.getByText(/The image is damaged/)).toBeDefined();
  expect(screen.queryAllByRole('button', { name: 'Retry' })).toHaveLength(buttons);
  expect(screen.queryAllByText(/Loading it again cannot help/)).toHaveLength(1 - buttons);
});
