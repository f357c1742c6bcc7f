import { t } from '@lingui/core/macro';
import { UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { commandKey, showPalette } from '#insight/search/palette-store.ts';
import { KeyCaps } from '#ui/keyboard/key-caps.tsx';
import styles from './palette-button.module.css';

/** Button that opens the command palette and shows its shortcut. */
export function PaletteButton() {
  return (
    <UnstyledButton className={styles.button} aria-keyshortcuts="Control+K Meta+K" onClick={() => showPalette(true)}>
      <IconSearch size={15} stroke={1.6} aria-hidden />
      <span className={styles.words}>{t`Find anything`}</span>
      <span className={styles.caps} aria-hidden>
        <KeyCaps keys={`${commandKey} K`} />
      </span>
    </UnstyledButton>
  );
}
