import { plural, t } from '@lingui/core/macro';
import { Textarea } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { statusForm, type Tenant, tenants } from '@radwork/contract/identity/tenants';
import { useAction } from '#core/http/api.ts';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { focusFirstInvalid } from '#ui/forms/field-errors.ts';

type Props = { tenant: Tenant | undefined; onClose: () => void };

/** Explains the suspension of an organization and asks for the reason. */
export function SuspendDialog({ tenant, onClose }: Props) {
  const name = tenant?.name ?? '';
  return (
    <Dialog opened={tenant !== undefined} onClose={onClose} title={t`Suspend ${name}?`} size={460}>
      {tenant && <SuspendForm tenant={tenant} onClose={onClose} />}
    </Dialog>
  );
}

function SuspendForm({ tenant, onClose }: { tenant: Tenant; onClose: () => void }) {
  const suspend = useAction(tenants.setStatus, {
    done: t`Organization suspended`,
    failed: t`Failed to suspend the organization`,
  });
  const { activeUsers } = tenant;
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
        (faults) => focusFirstInvalid(form.getInputNode, faults),
      )}
    >
      <p>
        {t`${plural(activeUsers, { one: '# active user is signed out now and cannot sign in.', other: '# active users are signed out now and cannot sign in.' })}`}{' '}
        {t`Share links do not open, devices are rejected, and imports and deliveries wait. All data stays, and nothing is purged. You can resume the organization at any time.`}
      </p>
      <Textarea label={t`Reason`} withAsterisk data-autofocus rows={3} {...form.getInputProps('reason')} />
    </DialogForm>
  );
}
