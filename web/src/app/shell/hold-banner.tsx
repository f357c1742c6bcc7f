import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconSignatureOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useSession } from '#core/state/session.ts';
import styles from '#app/tenants/visit-banner.module.css';

/**
 * Banner on each page during a signing hold: another person has changed the account, and the user has not confirmed the
 * change.
 */
export function SigningHoldBanner() {
  const session = useSession();
  if (!session?.user.isHeld) return null;
  return (
    <section className={styles.banner} aria-label={t`Signing hold`}>
      <IconSignatureOff size={16} stroke={1.8} aria-hidden />
      <p className={styles.words}>
        <Trans>
          Another person changed your account. You cannot sign, approve or acknowledge until the change is confirmed.{' '}
          <Link to="/account">Confirm account</Link>
        </Trans>
      </p>
    </section>
  );
}
