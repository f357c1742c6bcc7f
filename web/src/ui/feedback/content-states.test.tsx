import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ApiError } from '#core/http/api.ts';
import { show } from '#test/screen.tsx';
import { ErrorState } from './content-states.tsx';

test.each([
  [503, 1],
  [404, 1],
  [403, 1],
  [406, 0],
  [413, 0],
  [422, 0],
])('a failure with status %i shows %i retry buttons, and says when a retry cannot help', (status, buttons) => {
  show(<ErrorState failed="Could not load" error={new ApiError(status, '', 'Refused')} onRetry={() => {}} />);

  expect(screen.queryAllByRole('button', { name: 'Retry' })).toHaveLength(buttons);
  expect(screen.queryAllByText('Loading it again cannot help.')).toHaveLength(1 - buttons);
});
