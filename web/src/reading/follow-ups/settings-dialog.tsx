import { t } from '@lingui/core/macro';
import { Button, Checkbox, MultiSelect, Select } from '@mantine/core';
import { followUpOwnerLabels, followUpOwners } from '@radwork/contract/reading/follow-up-states';
import { type FollowUpSettings, followUps } from '@radwork/contract/reading/follow-ups';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query } from '#core/http/api.ts';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { userOptions } from '#ui/formats/user-options.ts';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { useSaveFollowUpSettings } from './follow-up-actions.ts';

/** Chooses who owns new follow-ups, and who is reminded of overdue ones. */
export function FollowUpSettingsDialog({ onClose }: { onClose: () => void }) {
  const settings = useQuery(query(followUps.settings, {}));
  return (
    <Dialog opened onClose={onClose} title={t`Reminders`} size={480}>
      {settings.isPending && <Skeleton lines={4} label={t`Loading settings`} />}
      {settings.isLoadingError && (
        <ErrorState
          failed={t`Could not load the settings`}
          error={settings.error}
          onRetry={() => void settings.refetch()}
          action={
            <Button variant="default" onClick={onClose}>
              {t`Close`}
            </Button>
          }
        />
      )}
      {settings.data && <SettingsForm settings={settings.data} onClose={onClose} />}
    </Dialog>
  );
}

function SettingsForm({ settings, onClose }: { settings: FollowUpSettings; onClose: () => void }) {
  const save = useSaveFollowUpSettings();
  const [owner, setOwner] = useState(settings.owner);
  const [remindsAuthor, setRemindsAuthor] = useState(settings.remindsAuthor);
  const [contacts, setContacts] = useState(() => settings.contacts.map(({ id }) => id));
  return (
    <DialogForm
      verb={t`Save`}
      action={save}
      onCancel={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ body: { owner, remindsAuthor, contacts } }, { onSuccess: onClose });
      }}
    >
      <Select
        label={t`Owner of a new follow-up`}
        description={t`If the referring physician has no account, the author is the owner.`}
        data={followUpOwners.map((value) => ({ value, label: followUpOwnerLabels[value] }))}
        value={owner}
        allowDeselect={false}
        onChange={(value) => setOwner(followUpOwners.find((one) => one === value) ?? owner)}
        data-autofocus
      />
      <Checkbox
        label={t`Remind the author of the report, too`}
        checked={remindsAuthor}
        onChange={(event) => setRemindsAuthor(event.currentTarget.checked)}
      />
      <MultiSelect
        label={t`Also remind`}
        data={userOptions(settings.candidates)}
        value={contacts}
        onChange={setContacts}
        searchable
      />
    </DialogForm>
  );
}
