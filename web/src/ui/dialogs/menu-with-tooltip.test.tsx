import { Menu } from '@mantine/core';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { show } from '#test/screen.tsx';
import { MenuWithTooltip } from './menu-with-tooltip.tsx';

test('a menu button shows its tooltip only while its menu is closed', async () => {
  show(
    <MenuWithTooltip tip="Window presets (1 to 9)" target={<button type="button">Presets</button>}>
      <Menu.Dropdown>
        <Menu.Item>Lung</Menu.Item>
      </Menu.Dropdown>
    </MenuWithTooltip>,
  );
  const user = userEvent.setup();
  await user.hover(screen.getByRole('button', { name: 'Presets' }));
  expect(await screen.findByRole('tooltip')).toBeDefined();

  await user.click(screen.getByRole('button', { name: 'Presets' }));

  expect(await screen.findByRole('menuitem', { name: 'Lung' })).toBeDefined();
  await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull());
});
