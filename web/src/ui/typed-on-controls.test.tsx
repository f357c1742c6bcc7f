import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ignoreTextOnControls } from './typed-on-controls.ts';

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

test.each(['checkbox', 'button'] as const)('blanks and line ends of a text press no %s', async (role) => {
  const pressed = open();
  screen.getByRole(role).focus();

  await userEvent.keyboard('no acute finding{Enter}. Chest normal ');

  expect(pressed).toEqual([]);
});

test('a press without a text before it works, and so does one after a pause', async () => {
  const pressed = open();
  screen.getByRole('checkbox').focus();
  await userEvent.keyboard(' ');
  await userEvent.tab();

  await userEvent.keyboard('{Enter}x ');
  vi.setSystemTime(Date.now() + 1500);
  await userEvent.keyboard(' ');

  expect(pressed).toEqual(['Critical', 'Sign', 'Sign']);
});

test('a character that looks for an entry of a menu does not keep the entry from being chosen', async () => {
  const pressed = open();
  screen.getByRole('menuitem').focus();

  await userEvent.keyboard('e{Enter}');

  expect(pressed).toEqual(['Entry']);
});
