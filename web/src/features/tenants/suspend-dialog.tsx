import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Textarea } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { statusForm, type Tenant, tenants } from '@radwork/contract/tenants';
import { useAction } from '#core/api.ts';
import { DialogForm } from '#ui/dialog-form.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { focusFirstFault } from '#ui/form-faults.ts';

type Props = { tenant: Tenant | undefined; onClose: () => void };

/** Explains a suspension and asks for its reason. */
export function SuspendDialog({ tenant, onClose }: Props) {
  return (
    <Dialog opened={tenant !== undefined} onClose={onClose} title={t`Suspend ${tenant?.name ?? ''}?`} size={460}>
      {tenant && <SuspendForm tenant={tenant} onClose={onClose} />}
    </Dialog>
  );
}

function SuspendForm({ tenant, onClose }: { tenant: Tenant; onClose: () => void }) {
  const suspend = useAction(tenants.setStatus, {
    done: t`Organisation suspended`,
    failed: t`Failed to suspend the organisation`,
  });
  const form = useForm({
    initialValues: { active: false, reason: '' },
    validate: schemaResolver(statusForm, { sync: true }),
  });
  return (
    <DialogForm
      verb={t`Suspend`}
      action={suspend}
      onCancel={onClose}
      onSubmit={form.onSubmit(
        (body) => suspend.mutate({ params: { id: tenant.id }, body }, { onSuccess: onClose }),
        (faults) => focusFirstFault(form.getInputNode, faults),
      )}
    >
      <p>
        <Trans>Its {tenant.activeUsers} active</Trans> {tenant.activeUsers === 1 ? t`user is` : t`users are`}{' '}
        {t`signed out at once and cannot sign in. Links to its reports do not open, its devices are refused, and its imports and deliveries wait. Everything is kept, nothing is purged, and it can be resumed at any time.`}
      </p>
      <Textarea label={t`Reason`} withAsterisk data-autofocus rows={3} {...form.getInputProps('reason')} />
    </DialogForm>
  );
}
