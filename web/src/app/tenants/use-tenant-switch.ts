import { t } from '@lingui/core/macro';
import { tenants } from '@radwork/contract/identity/tenants';
import { useCallback } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { call, errorMessageOf } from '#core/http/api.ts';
import { readHome, readSession } from '#core/state/session.ts';
import { toast } from '#core/browser/toasts.ts';
import { goToTenant } from '#core/state/tenant-visit.ts';
import { releaseReadingLocks } from '#reading/reports/locks/hold-reading-lock.ts';

/**
 * Switches to another organization, or back to the user's own. Releases the locks of this tab, then reloads the page.
 */
export const useTenantSwitch = () => {
  const client = useQueryClient();
  return useCallback(
    (subdomain: string) => {
      const go = async () => {
        const session = readSession();
        if (!session) return;
        const home = readHome() ?? session.tenant;
        if (subdomain === home.subdomain) {
          await leave(client);
          return goToTenant(session, undefined);
        }
        const { content } = await call(tenants.list, { query: { query: subdomain, size: 200, status: 'ACTIVE' } });
        const tenant = content.find((one) => one.subdomain === subdomain);
        if (!tenant) return toast.failure(t`This organization is suspended or does not exist.`);
        await leave(client);
        goToTenant(session, { name: tenant.name, subdomain: tenant.subdomain });
      };
      go().catch((error: unknown) =>
        toast.failure(errorMessageOf(error, t`Could not switch to the organization. Try again.`)),
      );
    },
    [client],
  );
};

/** Releases locks while the tab still belongs to the old organization. Cancels running calls. */
const leave = async (client: ReturnType<typeof useQueryClient>) => {
  await releaseReadingLocks();
  await client.cancelQueries();
};
