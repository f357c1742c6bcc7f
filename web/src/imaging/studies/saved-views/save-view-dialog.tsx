import { t } from '@lingui/core/macro';
import { Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SavedSearch, SavedView } from '@radwork/contract/imaging/saved-views';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { maySaveShared, useViewActions } from './use-saved-views.ts';

type Props = { opened: boolean; search: SavedSearch; onClose: () => void; onSaved: (view: SavedView) => void };

/** Saves the filters and the order of the list under a name. */
export function SaveViewDialog({ opened, onClose, ...form }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Save view`} size={420}>
      <SaveViewForm onClose={onClose} {...form} />
    </Dialog>
  );
}

function SaveViewForm({ search, onClose, onSaved }: Omit<Props, 'opened'>) {
  const { create } = useViewActions();
  const form = useForm({
    initialValues: { name: '', isShared: false, isDefault: false },
    validate: { name: (name) => (name.trim() === '' ? t`Name is required` : null) },
  });
  const submit = form.onSubmit(({ name, isShared, isDefault }) =>
    create.mutate(
      { body: { name, search, isDefault, owner: isShared ? 'ORGANIZATION' : 'USER' } },
      { onSuccess: onSaved },
    ),
  );
  return (
    <DialogForm verb={t`Save view`} action={create} onSubmit={submit} onCancel={onClose}>
      <TextInput label={t`Name`} withAsterisk maxLength={60} data-autofocus {...form.getInputProps('name')} />
      {maySaveShared() && (
        <Checkbox
          label={t`For all users of the organization`}
          {...form.getInputProps('isShared', { type: 'checkbox' })}
        />
      )}
      <Checkbox
        label={t`Open the study list with this view`}
        {...form.getInputProps('isDefault', { type: 'checkbox' })}
      />
    </DialogForm>
  );
}
