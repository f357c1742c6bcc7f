import { t } from '@lingui/core/macro';
import { ActionIcon, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconCheck } from '@tabler/icons-react';
import { KeyCaps } from '#ui/keyboard/key-caps.tsx';
import { keyCaps } from '#ui/keyboard/shortcuts.ts';
import { MenuWithTooltip } from '#ui/dialogs/menu-with-tooltip.tsx';
import { type Layout, layoutLabel, layoutNames, sizeOf } from '#reading/viewer/hanging/layouts.ts';
import styles from './layout-picker.module.css';
import { layoutKey, paneKeys } from './pane-keys.ts';
import type { HangingInUse } from '#reading/viewer/standard/hanging/use-hanging.ts';

type Props = {
  hanging: HangingInUse;
  onLayout: (layout: Layout) => void;
  onAgain: () => void;
  onKeep: () => void;
};

/** Menu to choose a layout, to restore the automatic hanging, and to save the layout for this kind of study. */
export function LayoutPicker({ hanging, onLayout, onAgain, onKeep }: Props) {
  const { layout, kind, isKept, isAutomatic } = hanging;
  return (
    <MenuWithTooltip
      position="bottom-end"
      width={272}
      tip={t`Layout (D)`}
      target={
        <ActionIcon aria-label={t`Layout`}>
          <LayoutGlyph layout={layout} size={17} />
        </ActionIcon>
      }
    >
      <Menu.Dropdown>
        <div className={styles.layouts}>
          {layoutNames.map((name) => (
            <Menu.Item
              key={name}
              className={styles.layout}
              aria-label={layoutLabel(name)}
              data-chosen={name === layout || undefined}
              title={`${layoutLabel(name)} (${keyCaps(layoutKey(name)).join(' ')})`}
              onClick={() => onLayout(name)}
            >
              <LayoutGlyph layout={name} size={30} />
            </Menu.Item>
          ))}
        </div>
        <Menu.Divider />
        <Menu.Label>{hanging.hanging?.name ?? t`No images hung yet`}</Menu.Label>
        <Menu.Item rightSection={<KeyCaps keys={paneKeys.again} />} onClick={onAgain}>
          {t`Reset hanging`}
        </Menu.Item>
        <Menu.Item
          closeMenuOnClick={false}
          rightSection={isAutomatic && <IconCheck size={14} aria-label={t`on`} />}
          onClick={() => hanging.setAutomatic(!isAutomatic)}
        >
          {t`Hanging protocol by kind of study`}
        </Menu.Item>
        <Menu.Item
          closeMenuOnClick={false}
          disabled={!isAutomatic}
          rightSection={hanging.hasPrior && <IconCheck size={14} aria-label={t`on`} />}
          onClick={() => hanging.setHasPrior(!hanging.hasPrior)}
        >
          {t`Prior of the same kind`}
        </Menu.Item>
        <Menu.Item disabled={!isAutomatic} onClick={onKeep}>
          {kind ? t`Save layout for ${kind}` : t`Save layout for this kind of study`}
        </Menu.Item>
        <Menu.Item
          renderRoot={(props) => <Link to="/hanging-rules" search={{ rule: hanging.hanging?.rule?.id }} {...props} />}
        >
          {hanging.hanging?.rule ? t`Open this hanging rule` : t`Hanging rules`}
        </Menu.Item>
        {isKept && (
          <Menu.Item onClick={hanging.forget}>
            {kind ? t`Delete saved layout for ${kind}` : t`Delete saved layout for this kind of study`}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </MenuWithTooltip>
  );
}

export function LayoutGlyph({ layout, size }: { layout: Layout; size: number }) {
  const { rows, columns } = sizeOf(layout);
  const panes = Array.from({ length: rows * columns }, (_, at) => ({
    x: (at % columns) / columns,
    y: Math.floor(at / columns) / rows,
  }));
  const gap = 0.07;
  return (
    <svg width={size} height={size * 0.8} viewBox="-0.02 -0.02 1.04 0.84" aria-hidden>
      {panes.map(({ x, y }) => (
        <rect
          key={`${x} ${y}`}
          x={x + gap / 2}
          y={y * 0.8 + gap / 2}
          width={1 / columns - gap}
          height={0.8 / rows - gap}
          rx={0.05}
          fill="none"
          stroke="currentColor"
          strokeWidth={1.4 / size}
        />
      ))}
    </svg>
  );
}
