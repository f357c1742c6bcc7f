import styles from './modality-tag.module.css';

/** A DICOM modality code, as it stands in the file; the full list of a study as its tooltip. */
export function ModalityTag({ modality, all = [] }: { modality: string; all?: readonly string[] }) {
  return (
    <span className={styles.tag} title={all.length > 1 ? all.join(', ') : undefined}>
      {modality}
      {all.length > 1 && <span className={styles.more}>+{all.length - 1}</span>}
    </span>
  );
}
