import { Menu } from '@mantine/core';
import { RichTextEditor } from '@mantine/tiptap';
import { IconCheck, type IconProps } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import styles from '#reading/editor/report-editor.module.css';

type Props = {
  label: string;
  icon: ComponentType<IconProps>;
  /** Each color with its name, its stored value and its appearance on this screen. */
  colors: readonly { name: string; value: string; shown: string }[];
  /** Label of the choice that removes the color. */
  noneLabel: string;
  current: string | undefined;
  onChoose: (value: string | undefined) => void;
};

/** Button with a color palette. Each color has a name, so users need not tell colors apart. */
export function ColorMenu({ label, icon: Icon, colors, noneLabel, current, onChoose }: Props) {
  const currentColor = colors.find(({ value }) => value === current);
  return (
    <Menu position="bottom-start" returnFocus={false}>
      <Menu.Target>
        <RichTextEditor.Control aria-label={label} title={label} active={currentColor !== undefined}>
          <span className={styles.colorTool}>
            <Icon size={16} stroke={1.5} aria-hidden />
            <i style={{ background: currentColor?.shown ?? 'transparent' }} />
          </span>
        </RichTextEditor.Control>
      </Menu.Target>
      <Menu.Dropdown>
        {colors.map(({ name, value, shown: displayColor }) => (
          <Menu.Item
            key={value}
            {...(value === current && { 'aria-current': true, rightSection: <IconCheck size={14} aria-hidden /> })}
            leftSection={<i className={styles.swatch} style={{ background: displayColor }} />}
            onClick={() => onChoose(value)}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Item leftSection={<i className={styles.swatch} />} onClick={() => onChoose(undefined)}>
          {noneLabel}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
