import { t } from '@lingui/core/macro';
import styles from './signing-means.module.css';

/** Shows the user's saved signature as it will appear on a report. */
export function SavedSignature({ picture }: { picture: string }) {
  return <img className={styles.picture} src={picture} alt={t`Your saved signature`} />;
}
