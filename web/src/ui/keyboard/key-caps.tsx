import styles from './key-caps.module.css';
import { keyCaps } from './shortcuts.ts';

/** Shows keys in the order in which to press them. */
export function KeyCaps({ keys }: { keys: string }) {
  return (
    <span className={styles.caps}>
      {keyCaps(keys).map((cap, at) => (
        <kbd key={at} className={styles.cap}>
          {cap}
        </kbd>
      ))}
    </span>
  );
}
