import styles from './file-name.module.css';

/** Shows a file name. If space is short, shortens the folder, not the name. */
export function FileName({ name }: { name: string }) {
  const base = name.lastIndexOf('/') + 1;
  return (
    <span className={styles.name} title={name}>
      {base > 0 && <span className={styles.folder}>{name.slice(0, base)}</span>}
      <span className={styles.base}>{name.slice(base)}</span>
    </span>
  );
}
