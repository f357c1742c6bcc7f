import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import styles from './following-note.module.css';
import { stopFollowing, useIsFollowing } from './images-window.ts';

/** Notice that this window follows the study of another window, with a button to stop. */
export function FollowingNote() {
  if (!useIsFollowing()) return null;
  return (
    <section className={styles.note} aria-label={t`Second window`}>
      <IconLink size={14} aria-hidden />
      <p>{t`This window follows the study in your other window.`}</p>
      <Button size="compact-xs" variant="default" onClick={stopFollowing}>
        {t`Stop following`}
      </Button>
    </section>
  );
}
