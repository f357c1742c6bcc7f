import { InputBase } from '@mantine/core';
import { isSuperAdmin } from '@radwork/contract/identity/sessions';
import { tenants } from '@radwork/contract/identity/tenants';
import { may, useSession } from '#core/state/session.ts';
import { loadOnDemand } from '#ui/feedback/on-demand.tsx';
import { tenantField } from './tenant-field.tsx';

const TenantChoiceOnDemand = loadOnDemand(async () => (await import('./tenant-choice.tsx')).TenantChoice);

/**
 * Shows the organization of this tab to super administrators, with a control to switch to another organization. Its code
 * is loaded on demand, because other users do not need it.
 */
export function TenantSwitch() {
  const session = useSession();
  if (!session || !isSuperAdmin(session) || !may(tenants.list)) return null;
  const { tenant } = session;
  return (
    <TenantChoiceOnDemand
      current={tenant}
      // No input, which would lose the focus when the code arrives.
      waiting={
        <InputBase component="div" {...tenantField()}>
          {tenant.name}
        </InputBase>
      }
    />
  );
}
