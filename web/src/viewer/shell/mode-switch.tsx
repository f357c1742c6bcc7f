import type { StudyDetails } from '@radwork/contract/studies';
import { Link } from '@tanstack/react-router';
import { addresses, labels, modesFor } from '#viewer/modes.ts';
import styles from './mode-switch.module.css';

/** The viewers that make sense for a study; the one on the screen is marked. */
export function ModeSwitch({ study }: { study: StudyDetails }) {
  const modes = modesFor(study);
  if (modes.length < 2) return null;
  return (
    <nav aria-label="Viewers" className={styles.switch}>
      {modes.map((mode) => (
        <Link key={mode} to={addresses[mode]} params={{ id: study.id }} className={styles.mode}>
          {labels[mode]}
        </Link>
      ))}
    </nav>
  );
}
