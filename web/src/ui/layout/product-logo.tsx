import { useProductName } from '#core/http/product-name.ts';
import styles from './product-logo.module.css';

/** Logo: a slice seen from the feet, with one bright sector. */
export function ProductLogo({ nameless = false, size = 20 }: { nameless?: boolean; size?: number }) {
  const productName = useProductName();
  return (
    <span className={styles.mark}>
      <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden>
        <circle cx="10" cy="10" r="8.25" fill="none" stroke="var(--line3)" strokeWidth="1.5" />
        <path d="M10 10 V1.75 A8.25 8.25 0 0 1 17.14 14.13 Z" fill="var(--primary)" />
        <circle cx="10" cy="10" r="2" fill="var(--text1)" />
      </svg>
      <span className={nameless ? 'visually-hidden' : styles.name}>{productName}</span>
    </span>
  );
}
