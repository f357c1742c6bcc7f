import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconLock, IconMapOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '#ui/feedback/content-states.tsx';
import styles from './missing-pages.module.css';

const wayBack = (
  <>
    <Button variant="default" onClick={() => window.history.back()}>
      {t`Go back`}
    </Button>
    <Button renderRoot={(props) => <Link to="/" {...props} />}>{t`Open start page`}</Button>
  </>
);

/** Screen /pages/404. The application also shows it for all unknown addresses. */
export function NotFoundPage() {
  return (
    <main className={styles.page}>
      <EmptyState
        isPage
        icon={IconMapOff}
        title={t`Page not found`}
        detail={t`No page exists at this address. The link may be old or incomplete.`}
        action={wayBack}
      />
    </main>
  );
}

/** Shown in place of a screen that the user may not open. */
export function AccessDenied() {
  return (
    <div className={styles.page}>
      <EmptyState
        isPage
        icon={IconLock}
        title={t`Access denied`}
        detail={t`Your role does not include this page. Ask your administrator for access.`}
        action={wayBack}
      />
    </div>
  );
}

/** Screen /pages/403. */
export function AccessDeniedPage() {
  return (
    <main>
      <AccessDenied />
    </main>
  );
}
