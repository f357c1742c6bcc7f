import { t } from '@lingui/core/macro';
import type { Tenant } from '@radwork/contract/identity/tenants';
import { formatMoment } from '#ui/formats/formats.ts';
import styles from './tenants.module.css';
import { UnprovenSigning } from './unproven-signing.tsx';
import { localeNames } from '#ui/formats/locale-names.ts';

/** Details of an organization, shown in its expanded row. */
export function TenantDetails({ tenant }: { tenant: Tenant }) {
  return (
    <dl className={styles.facts}>
      <dt>{t`Time zone`}</dt>
      <dd>{tenant.timeZone}</dd>
      <dt>{t`Language`}</dt>
      <dd>{localeNames[tenant.locale]}</dd>
      {tenant.suspendedAt && (
        <>
          <dt>{t`Suspended`}</dt>
          <dd>
            {formatMoment(tenant.suspendedAt)}: {tenant.suspendedReason}
          </dd>
        </>
      )}
      <dt>{t`Signing`}</dt>
      <dd>
        <UnprovenSigning tenant={tenant} />
      </dd>
    </dl>
  );
}
