import { t } from '@lingui/core/macro';
import { InputBase } from '@mantine/core';
import { isSuperAdmin } from '@radwork/contract/identity/sessions';
import { tenants } from '@radwork/contract/identity/tenants';
import { useState } from 'react';
import { may, useSession } from '#core/state/session.ts';
import { partOnDemand } from '#ui/feedback/on-demand.tsx';
import { tenantField } from './tenant-field.tsx';

const TenantChoiceOnDemand = partOnDemand(
  async () => (await import('./tenant-choice.tsx')).TenantChoice,
  (retry) => <FailedField onRetry={retry} />,
);

/**
 * Shows the organization of this tab to super administrators, with a control to switch to another organization. Its code
 * is loaded on demand, because other users do not need it.
 */
export function TenantSwitch() {
  const session = useSession();
  const [isPressed, setPressed] = useState(false);
  if (!session || !isSuperAdmin(session) || !may(tenants.list)) return null;
  const { tenant } = session;
  return (
    <TenantChoiceOnDemand
      current={tenant}
      opensAtOnce={isPressed}
      // Looks like the field, which opens as soon as its code has loaded.
      waiting={
        <InputBase component="button" type="button" {...tenantField()} onClick={() => setPressed(true)}>
          {tenant.name}
        </InputBase>
      }
    />
  );
}

/** Shows the organization after the code of the list did not load. Loads it again. */
function FailedField({ onRetry }: { onRetry: () => void }) {
  return (
    <InputBase
      component="button"
      type="button"
      {...tenantField()}
      aria-label={t`Organizations did not load. Retry.`}
      onClick={onRetry}
    >
      {t`Retry`}
    </InputBase>
  );
}
