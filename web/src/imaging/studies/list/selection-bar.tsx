import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { mostSelected } from '@radwork/contract/imaging/studies';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatNumber } from '#ui/formats/formats.ts';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import styles from './selection-bar.module.css';

type Props = {
  count: number;
  /** Number of studies that the list finds; undefined while it loads. */
  total: { totalElements: number; isTotalExact: boolean } | undefined;
  isSelectingAll: boolean;
  onSelectAll: () => void;
  onClear: () => void;
  /** Buttons that act on the selection. */
  children: ReactNode;
};

/** Bar above the list while studies are selected. */
export function SelectionBar({ count, total, isSelectingAll, onSelectAll, onClear, children }: Props) {
  useShortcuts(t`Selection`, [{ keys: 'Escape', does: t`Clear selection`, run: onClear, hint: t`clear` }]);
  const canSelectMore = total !== undefined && count < Math.min(total.totalElements, mostSelected);
  return (
    <div className={styles.bar} role="group" aria-label={t`Selected studies`}>
      <strong aria-live="polite">{t`${plural(count, { one: '# study', other: '# studies' })} selected`}</strong>
      {canSelectMore && (
        <Button size="compact-xs" variant="subtle" loading={isSelectingAll} onClick={onSelectAll}>
          {selectAllLabel(total)}
        </Button>
      )}
      <span className={styles.actions}>{children}</span>
      <Button
        size="compact-xs"
        variant="subtle"
        leftSection={<IconX size={13} stroke={2} aria-hidden />}
        onClick={onClear}
      >
        {t`Clear selection`}
      </Button>
    </div>
  );
}

const selectAllLabel = ({ totalElements, isTotalExact }: { totalElements: number; isTotalExact: boolean }): string => {
  const number = formatNumber(Math.min(totalElements, mostSelected));
  return isTotalExact && totalElements <= mostSelected ? t`Select all ${number}` : t`Select the first ${number}`;
};
