import { t } from '@lingui/core/macro';
import { ActionIcon, Menu } from '@mantine/core';
import { MenuWithTooltip } from '#ui/dialogs/menu-with-tooltip.tsx';
import { type Layout, layoutNames, layouts } from './clip-layouts.ts';

/** Menu for the number of clips on screen. */
export function LayoutPicker({ layout, onLayout }: { layout: Layout; onLayout: (layout: Layout) => void }) {
  const Current = layouts[layout].icon;
  return (
    <MenuWithTooltip
      position="bottom-end"
      tip={t`Layout (D)`}
      target={
        <ActionIcon aria-label={t`Layout`}>
          <Current size={17} stroke={1.6} />
        </ActionIcon>
      }
    >
      <Menu.Dropdown>
        {layoutNames.map((name) => {
          const { icon: Icon, label } = layouts[name];
          return (
            <Menu.Item key={name} leftSection={<Icon size={15} />} onClick={() => onLayout(name)}>
              {label}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </MenuWithTooltip>
  );
}
