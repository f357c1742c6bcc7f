import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import styles from './following-note.module.css';
import { useFollowing } from './images-window.ts';

/** Tells that this window follows the study of another window, with a button to stop. */
export function FollowingNote() {
  const stop = useFollowing();
  if (!stop) return null;
  return (
    <section className={styles.note} aria-label={t`Second window`}>
      <IconLink size={14} aria-hidden />
      <p>{t`This window shows the study that is open in your other one.`}</p>
      <Button size="compact-xs" variant="default" onClick={stop}>
        {t`Let go`}
      </Button>
    </section>
  );
}
