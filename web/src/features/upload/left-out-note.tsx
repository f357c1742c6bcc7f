import { memo } from 'react';
import type { LeftOut } from './chosen-files.ts';
import styles from './left-out-note.module.css';

type Props = {
  files: readonly LeftOut[];
  /** What is said of them all. */
  said: string;
};

/**
 * Says which of the chosen files will not be sent: nothing that somebody chose disappears without a word. They may be
 * thousands, and do not change while the upload is told of several times a second.
 */
export const LeftOutNote = memo(function LeftOutNote({ files, said }: Props) {
  if (files.length === 0) return null;
  return (
    <details className={styles.note}>
      <summary>
        {files.length.toLocaleString('en-US')} {files.length === 1 ? 'file' : 'files'} {said}
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
});
