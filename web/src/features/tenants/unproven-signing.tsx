import { t } from '@lingui/core/macro';
import { Switch } from '@mantine/core';
import { signingHolds } from '@radwork/contract/signing-holds';
import type { Tenant } from '@radwork/contract/tenants';
import { useQuery } from '@tanstack/react-query';
import { query, useAction } from '#core/api.ts';
import { confirm } from '#ui/confirm.tsx';

/** For organizations with one administrator and no mail, where no second user can confirm a new account. */
export function UnprovenSigning({ tenant }: { tenant: Tenant }) {
  const { data } = useQuery(query(signingHolds.tenantRule, { params: { id: tenant.id } }));
  const save = useAction(signingHolds.setTenantRule, { failed: t`Could not save the setting`, refreshes: ['tenants'] });
  const change = async (isAllowed: boolean) => {
    if (isAllowed && !(await confirm(allowing(tenant)))) return;
    save.mutate({ params: { id: tenant.id }, body: { isAllowed } });
  };
  return (
    <Switch
      size="sm"
      label={t`Accounts may sign before a second administrator confirms them`}
      description={t`Each signature then says so.`}
      checked={data?.isAllowed ?? false}
      disabled={!data || save.isPending}
      onChange={(event) => void change(event.currentTarget.checked)}
    />
  );
}

const allowing = ({ name }: Tenant) => ({
  question: t`Let unconfirmed accounts of ${name} sign?`,
  consequence: (
    <p>
      {t`One administrator alone can then sign as another person. Use it only where there is no second administrator and no mail. Each signature of such an account says that it was not confirmed.`}
    </p>
  ),
  verb: t`Let them sign`,
});
