import { ActionIcon, Tooltip } from '@mantine/core';
import type { IconProps } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { keyCaps } from '#ui/keyboard/shortcuts.ts';

type Props = {
  label: string;
  keys: string;
  icon: ComponentType<Pick<IconProps, 'size' | 'stroke'>>;
  isPressed?: boolean;
  isDisabled?: boolean;
  onClick: () => void;
};

/** Toolbar button with the shortcut in its tooltip. */
export function ToolbarButton({ label, keys, icon: Icon, isPressed, isDisabled = false, onClick }: Props) {
  return (
    <Tooltip position="bottom" label={`${label} (${keyCaps(keys).join(' ')})`}>
      <ActionIcon aria-label={label} aria-pressed={isPressed} disabled={isDisabled} onClick={onClick}>
        <Icon size={17} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
}
