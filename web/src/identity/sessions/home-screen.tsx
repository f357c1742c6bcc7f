import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useIsConnected } from '#core/http/connection.ts';
import { useProductName } from '#core/http/product-name.ts';
import { StatusPill } from '#ui/marks/status-pill.tsx';
import styles from './home-screen.module.css';
import { EntryPage } from '#ui/layout/entry-page.tsx';

/** Start page for signed-out users: product, server state and a link to sign in. Shows no data of the organization. */
export function HomeScreen() {
  const productName = useProductName();
  const isConnected = useIsConnected();
  return (
    <EntryPage>
      <div className={styles.home}>
        <h1 className={styles.name}>{productName}</h1>
        <p className={styles.lead}>{t`Worklist, viewer and reports for cardiology and radiology`}</p>
        <Button size="sm" renderRoot={(props) => <Link to="/login" {...props} />}>
          {t`Sign in`}
        </Button>
        <a className={styles.status} href="/api/about">
          {isConnected ? (
            <StatusPill tone="success" label={t`The service is running`} />
          ) : (
            <StatusPill tone="danger" shape="diamond" label={t`The service cannot be reached`} />
          )}
        </a>
      </div>
    </EntryPage>
  );
}
