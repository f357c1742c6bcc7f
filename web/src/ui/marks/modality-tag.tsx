import styles from './modality-tag.module.css';

/** Shows a DICOM modality code. The tooltip lists all modalities of the study. */
export function ModalityTag({ modality, all = [] }: { modality: string; all?: readonly string[] }) {
  return (
    <span className={styles.tag} title={all.length > 1 ? all.join(', ') : undefined}>
      {modality}
      {all.length > 1 && <span className={styles.more}>+{all.length - 1}</span>}
    </span>
  );
}
