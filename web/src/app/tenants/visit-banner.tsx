import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { readHome, useSession } from '#core/state/session.ts';
import styles from './visit-banner.module.css';
import { useTenantSwitch } from './use-tenant-switch.ts';

/**
 * Banner on each page while the user is in another organization: the organization, the user, and a button to return
 * home.
 */
export function VisitBanner() {
  const session = useSession();
  const home = readHome();
  const switchTo = useTenantSwitch();
  if (!session || !home) return null;
  const { tenant, user } = session;
  const organization = tenant.name;
  const name = user.name || user.username;
  const homeName = home.name;
  return (
    <section className={styles.banner} aria-label={t`Visited organization`}>
      <IconEye size={16} stroke={1.8} aria-hidden />
      <p className={styles.words}>
        <Trans>
          You are visiting <strong>{organization}</strong>, not your own organization. The audit log records your
          actions as {name}.
        </Trans>
      </p>
      <Button size="compact-sm" variant="default" onClick={() => switchTo(home.subdomain)}>
        {t`Return to ${homeName}`}
      </Button>
    </section>
  );
}
