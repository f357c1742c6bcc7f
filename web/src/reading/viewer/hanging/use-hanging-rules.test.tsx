import { type HangingRule, hangingRules } from '@radwork/contract/reading/hanging-rules';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answer, refuse, serve, show } from '#test/screen.tsx';
import { useHangingRules } from './use-hanging-rules.ts';

const rule: HangingRule = {
  id: '0193d4a0-0000-7000-8000-000000000001',
  modality: 'CT',
  bodyPart: '',
  monitors: null,
  layout: '1x2',
  prior: 'never',
  panes: [],
  linkedScroll: 'usual',
  window: null,
  tool: null,
  isShared: true,
  revision: 1,
  updatedBy: 'Admin',
  updatedAt: '2026-11-30T00:00:00Z',
};

function Rules() {
  const { rules, isWaiting } = useHangingRules();
  return <output>{isWaiting ? 'waiting' : rules.map(({ modality }) => modality).join(' ') || 'none'}</output>;
}

test('a study waits for the rules of the server, and without them hangs by those of the last opening', async () => {
  serve(answer(hangingRules.list, () => [rule]));
  show(<Rules />);
  expect(screen.getByRole('status').textContent).toBe('waiting');
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('CT'));
  cleanup();

  serve(refuse(hangingRules.list, 503, 'The database cannot be reached.'));
  show(<Rules />);

  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('CT'));
});
