import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconLock, IconMapOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '#ui/states.tsx';
import styles from './missing-pages.module.css';

const wayBack = (
  <>
    <Button variant="default" onClick={() => window.history.back()}>
      {t`Go back`}
    </Button>
    <Button renderRoot={(props) => <Link to="/" {...props} />}>{t`Open the start page`}</Button>
  </>
);

/** /pages/404, and all unknown addresses. */
export function NotFoundPage() {
  return (
    <main className={styles.page}>
      <EmptyState
        isPage
        icon={IconMapOff}
        title={t`Page not found`}
        detail={t`There is nothing at this address. The link may be old, or a letter of it may be missing.`}
        action={wayBack}
      />
    </main>
  );
}

/** Shown instead of a screen that the user may not open. */
export function AccessDenied() {
  return (
    <div className={styles.page}>
      <EmptyState
        isPage
        icon={IconLock}
        title={t`Access denied`}
        detail={t`Your role does not include this page. Ask an administrator of your organisation if you need it.`}
        action={wayBack}
      />
    </div>
  );
}

/** /pages/403. */
export function AccessDeniedPage() {
  return (
    <main>
      <AccessDenied />
    </main>
  );
}
