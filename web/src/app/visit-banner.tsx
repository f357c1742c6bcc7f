import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { readHome, useSession } from '#core/session.ts';
import styles from './visit-banner.module.css';
import { useTenantSwitch } from './use-tenant-switch.ts';

/** Banner on each page during a visit: the organization, the user, and the way home. */
export function VisitBanner() {
  const session = useSession();
  const home = readHome();
  const switchTo = useTenantSwitch();
  if (!session || !home) return null;
  return (
    <section className={styles.banner} aria-label={t`Visited organisation`}>
      <IconEye size={16} stroke={1.8} aria-hidden />
      <p className={styles.words}>
        <Trans>
          You are in <strong>{session.tenant.name}</strong>, which is not your organisation. Everything you do here is
          recorded under your name,
        </Trans>{' '}
        {session.user.name || session.user.username}.
      </p>
      <Button size="compact-sm" variant="default" onClick={() => switchTo(home.subdomain)}>
        <Trans>Return to {home.name}</Trans>
      </Button>
    </section>
  );
}
