import { t } from '@lingui/core/macro';
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SavedSearch, SavedView } from '@radwork/contract/imaging/saved-views';
import { groups } from '@radwork/contract/identity/groups';
import { useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
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

/** Choice of the owner: USER, ORGANIZATION, or the ID of a group. */
type Values = { name: string; owner: string; isDefault: boolean };

function SaveViewForm({ search, onClose, onSaved }: Omit<Props, 'opened'>) {
  const { create } = useViewActions();
  const offered = useQuery({ ...query(groups.list, {}), enabled: maySaveShared() }).data ?? [];
  const form = useForm<Values>({
    initialValues: { name: '', owner: 'USER', isDefault: false },
    validate: { name: (name) => (name.trim() === '' ? t`Name is required` : null) },
  });
  const group = offered.find(({ id }) => id === form.values.owner);
  const submit = form.onSubmit(({ name, owner, isDefault }) =>
    create.mutate(
      {
        body: {
          name,
          search,
          isDefault: isDefault && group?.isOwn !== false,
          owner: group ? 'GROUP' : owner === 'ORGANIZATION' ? 'ORGANIZATION' : 'USER',
          groupId: group?.id,
        },
      },
      { onSuccess: onSaved },
    ),
  );
  return (
    <DialogForm verb={t`Save view`} action={create} onSubmit={submit} onCancel={onClose}>
      <TextInput label={t`Name`} withAsterisk maxLength={60} data-autofocus {...form.getInputProps('name')} />
      {maySaveShared() && (
        <NativeSelect
          label={t`For`}
          data={[
            { value: 'USER', label: t`Only me` },
            ...offered.map(({ id, name }) => ({ value: id, label: t`Members of ${name}` })),
            { value: 'ORGANIZATION', label: t`All users of the organization` },
          ]}
          {...form.getInputProps('owner')}
        />
      )}
      {group?.isOwn !== false && (
        <Checkbox
          label={t`Open the study list with this view`}
          {...form.getInputProps('isDefault', { type: 'checkbox' })}
        />
      )}
    </DialogForm>
  );
}
