import { t } from '@lingui/core/macro';
import { health } from '@radwork/contract/identity/health';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { query } from '#core/http/api.ts';
import { useIsConnected } from '#core/http/connection.ts';
import { formatMoment } from '#ui/formats/formats.ts';
import { useNow } from '#ui/formats/use-now.ts';
import { ProductLogo } from './product-logo.tsx';
import styles from './entry-page.module.css';

/**
 * Page before sign-in, styled like an empty viewport. Its corners show facts about the installation, where a viewer
 * shows patient and series.
 */
export function EntryPage({ children }: { children: ReactNode }) {
  const about = useQuery(query(health.about, {}));
  const isConnected = useIsConnected();
  const now = useNow(5000);
  return (
    <div className={styles.lightbox}>
      <header className={styles.top}>
        <ProductLogo size={22} />
        <time className={styles.time} dateTime={now.toISOString()}>
          {formatMoment(now.toISOString())}
        </time>
      </header>
      <Orientation />
      <main className={styles.middle}>{children}</main>
      <footer className={styles.bottom}>
        <span role="status">{isConnected ? window.location.host : t`The server cannot be reached`}</span>
        {about.data && <span>v{about.data.version}</span>}
      </footer>
    </div>
  );
}

/** Orientation letters and ruler of an axial slice, as decoration. */
function Orientation() {
  return (
    <div className={styles.orientation} aria-hidden>
      <span className={styles.anterior}>A</span>
      <span className={styles.right}>R</span>
      <span className={styles.left}>L</span>
      <span className={styles.posterior}>P</span>
      <svg className={styles.ruler} viewBox="0 0 8 201" width="8" height="201">
        {Array.from({ length: 11 }, (_, mark) => (
          <path key={mark} d={`M${mark % 5 === 0 ? 0 : 3} ${mark * 20 + 0.5}H8`} />
        ))}
        <path d="M7.5 0V201" />
      </svg>
    </div>
  );
}
