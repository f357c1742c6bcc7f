import { Menu, type MenuProps, Tooltip } from '@mantine/core';
import { type ReactElement, useState } from 'react';

type Props = MenuProps & {
  /** What the button is for. */
  tip: string;
  /** The button that opens the menu. */
  target: ReactElement;
};

/** A menu below a button that says what it is for, until the menu is there: the words would lie over its first item. */
export function TippedMenu({ tip, target, children, ...menu }: Props) {
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
