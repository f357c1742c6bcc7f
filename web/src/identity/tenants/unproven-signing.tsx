import { t } from '@lingui/core/macro';
import { Switch } from '@mantine/core';
import { signingHolds } from '@radwork/contract/identity/signing-holds';
import type { Tenant } from '@radwork/contract/identity/tenants';
import { useQuery } from '@tanstack/react-query';
import { query, useAction } from '#core/http/api.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';

/**
 * Switch that allows signing before a second administrator confirms an account. For organizations with one
 * administrator and no e-mail.
 */
export function UnprovenSigning({ tenant }: { tenant: Tenant }) {
  const { data } = useQuery(query(signingHolds.tenantRule, { params: { id: tenant.id } }));
  const save = useAction(signingHolds.setTenantRule, { failed: t`Failed to save the setting`, refreshes: ['tenants'] });
  const change = async (isAllowed: boolean) => {
    if (isAllowed && !(await confirm(allowing(tenant)))) return;
    save.mutate({ params: { id: tenant.id }, body: { isAllowed } });
  };
  return (
    <Switch
      size="sm"
      label={t`Allow signing before a second administrator confirms an account`}
      description={t`Each signature then mentions that the account was not confirmed.`}
      checked={data?.isAllowed ?? false}
      disabled={!data || save.isPending}
      onChange={(event) => void change(event.currentTarget.checked)}
    />
  );
}

const allowing = ({ name }: Tenant) => ({
  question: t`Allow unconfirmed accounts of ${name} to sign?`,
  consequence: (
    <p>
      {t`One administrator alone can then sign as another person. Use this only if there is no second administrator and no e-mail. Each signature of such an account states that the account was not confirmed.`}
    </p>
  ),
  verb: t`Allow signing`,
});
