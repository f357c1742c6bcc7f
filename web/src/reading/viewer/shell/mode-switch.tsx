import { t } from '@lingui/core/macro';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { Link } from '@tanstack/react-router';
import { addresses, labels, modesFor } from '#reading/viewer/viewer-modes.ts';
import styles from './mode-switch.module.css';

/** Switch between the viewers that suit a study. Marks the current viewer. */
export function ModeSwitch({ study }: { study: StudyDetails }) {
  const modes = modesFor(study);
  if (modes.length < 2) return null;
  return (
    <nav aria-label={t`Viewers`} className={styles.switch}>
      {modes.map((mode) => (
        <Link key={mode} to={addresses[mode]} params={{ id: study.id }} className={styles.mode}>
          {labels[mode]}
        </Link>
      ))}
    </nav>
  );
}
