import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ignoreTextOnControls } from './ignore-text-on-controls.ts';

const open = () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const end = ignoreTextOnControls();
  onTestFinished(() => {
    end();
    vi.useRealTimers();
  });
  const pressed: string[] = [];
  render(
    <>
      <input type="checkbox" aria-label="Critical" onChange={() => pressed.push('Critical')} />
      <button type="button" onClick={() => pressed.push('Sign')}>
        Sign
      </button>
      <ul role="menu">
        <li>
          <button type="button" role="menuitem" onClick={() => pressed.push('Entry')}>
            Entry
          </button>
        </li>
      </ul>
    </>,
  );
  return pressed;
};

test.each(['checkbox', 'button'] as const)(
  'spaces and line breaks in typed text do not activate a %s',
  async (role) => {
    const pressed = open();
    screen.getByRole(role).focus();

    await userEvent.keyboard('no acute finding{Enter}. Chest normal ');

    expect(pressed).toEqual([]);
  },
);

test('a key activates a control when no text was typed before it, and after a pause', async () => {
  const pressed = open();
  screen.getByRole('checkbox').focus();
  await userEvent.keyboard(' ');
  await userEvent.tab();

  await userEvent.keyboard('{Enter}x ');
  vi.setSystemTime(Date.now() + 1500);
  await userEvent.keyboard(' ');

  expect(pressed).toEqual(['Critical', 'Sign', 'Sign']);
});

test('typing to find a menu item does not prevent choosing it', async () => {
  const pressed = open();
  screen.getByRole('menuitem').focus();

  await userEvent.keyboard('e{Enter}');

  expect(pressed).toEqual(['Entry']);
});
