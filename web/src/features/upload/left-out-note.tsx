import type { LeftOut } from './chosen-files.ts';
import styles from './left-out-note.module.css';

/** Says which of the chosen files will not be sent: nothing that somebody chose disappears without a word. */
export function LeftOutNote({ files }: { files: readonly LeftOut[] }) {
  if (files.length === 0) return null;
  return (
    <details className={styles.note}>
      <summary>
        {files.length.toLocaleString('en-US')} {files.length === 1 ? 'file' : 'files'} left out
      </summary>
      <ul>
        {files.map(({ name, why }, index) => (
          <li key={index}>
            {name}: <span>{why}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
