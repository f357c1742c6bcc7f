import { Menu, type MenuProps, Tooltip } from '@mantine/core';
import { type ReactElement, useState } from 'react';

type Props = MenuProps & {
  /** Tooltip of the button. */
  tip: string;
  /** Button that opens the menu. */
  target: ReactElement;
};

/**
 * Menu with a tooltip on its button. The tooltip is hidden while the menu is open, because it would cover the first
 * item.
 */
export function MenuWithTooltip({ tip, target, children, ...menu }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Menu {...menu} opened={isOpen} onChange={setIsOpen}>
      <Menu.Target>
        <Tooltip position="bottom" label={tip} disabled={isOpen}>
          {target}
        </Tooltip>
      </Menu.Target>
      {children}
    </Menu>
  );
}
