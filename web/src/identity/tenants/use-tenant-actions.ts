import { t } from '@lingui/core/macro';
import { type Tenant, tenantExport, tenants } from '@radwork/contract/identity/tenants';
import { useCallback, useMemo, useState } from 'react';
import { callStream, useAction, errorMessageOf } from '#core/http/api.ts';
import { saveFile } from '#core/browser/save-file.ts';
import { toast } from '#core/browser/toasts.ts';

/** Time-out in milliseconds. The export of a large organization takes a long time. */
const exportPatience = 60 * 60_000;

/** Actions on an organization from its row. `suspending` is the organization shown in the suspend dialog. */
export const useTenantActions = () => {
  const [suspending, setSuspending] = useState<Tenant>();
  const { mutate: resume } = useAction(tenants.setStatus, {
    done: t`Organization resumed`,
    failed: t`Failed to resume the organization`,
  });
  const onSetActive = useCallback(
    (tenant: Tenant) => {
      if (tenant.isActive) setSuspending(tenant);
      else resume({ params: { id: tenant.id }, body: { active: true, reason: '' } });
    },
    [resume],
  );
  const onExport = useCallback((tenant: Tenant) => void download(tenant), []);
  const acts = useMemo(() => ({ onSetActive, onExport }), [onSetActive, onExport]);
  return { acts, suspending, onSuspended: () => setSuspending(undefined) };
};

const download = async ({ id, subdomain, name }: Tenant) => {
  toast.success(t`Export of ${name} started`);
  try {
    const answer = await callStream('', tenantExport, { params: { id }, timeout: exportPatience });
    const file = await answer.blob();
    saveFile(`organization-${subdomain}.ndjson`, file);
  } catch (error) {
    toast.failure(errorMessageOf(error, t`Failed to export the organization`));
  }
};
