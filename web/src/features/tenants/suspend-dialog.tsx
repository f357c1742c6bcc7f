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
    <Dialog opened={tenant !== undefined} onClose={onClose} title={`Suspend ${tenant?.name ?? ''}?`} size={460}>
      {tenant && <SuspendForm tenant={tenant} onClose={onClose} />}
    </Dialog>
  );
}

function SuspendForm({ tenant, onClose }: { tenant: Tenant; onClose: () => void }) {
  const suspend = useAction(tenants.setStatus, {
    done: 'Organisation suspended',
    failed: 'Failed to suspend the organisation',
  });
  const form = useForm({
    initialValues: { active: false, reason: '' },
    validate: schemaResolver(statusForm, { sync: true }),
  });
  return (
    <DialogForm
      verb="Suspend"
      action={suspend}
      onCancel={onClose}
      onSubmit={form.onSubmit(
        (body) => suspend.mutate({ params: { id: tenant.id }, body }, { onSuccess: onClose }),
        (faults) => focusFirstFault(form.getInputNode, faults),
      )}
    >
      <p>
        Its {tenant.activeUsers} active {tenant.activeUsers === 1 ? 'user is' : 'users are'} signed out at once and
        cannot sign in. Links to its reports do not open, its devices are refused, and its imports and deliveries wait.
        Everything is kept, nothing is purged, and it can be resumed at any time.
      </p>
      <Textarea label="Reason" withAsterisk data-autofocus rows={3} {...form.getInputProps('reason')} />
    </DialogForm>
  );
}
