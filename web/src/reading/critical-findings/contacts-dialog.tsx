import { t } from '@lingui/core/macro';
import { Button, MultiSelect } from '@mantine/core';
import { type CriticalContacts, criticalFindings } from '@radwork/contract/reading/critical-findings';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query } from '#core/http/api.ts';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { userOptions } from '#ui/formats/user-options.ts';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { useSaveContacts } from './finding-actions.ts';

/** Chooses who is notified when a finding was not communicated in time. */
export function ContactsDialog({ onClose }: { onClose: () => void }) {
  const contacts = useQuery(query(criticalFindings.contacts, {}));
  return (
    <Dialog opened onClose={onClose} title={t`Escalation`} size={480}>
      {contacts.isPending && <Skeleton lines={4} label={t`Loading escalation`} />}
      {contacts.isLoadingError && (
        <ErrorState
          failed={t`Failed to load escalation`}
          error={contacts.error}
          onRetry={() => void contacts.refetch()}
          action={
            <Button variant="default" onClick={onClose}>
              {t`Close`}
            </Button>
          }
        />
      )}
      {contacts.data && <ContactsForm contacts={contacts.data} onClose={onClose} />}
    </Dialog>
  );
}

function ContactsForm({ contacts, onClose }: { contacts: CriticalContacts; onClose: () => void }) {
  const save = useSaveContacts();
  const [onCall, setOnCall] = useState(() => contacts.onCall.map(({ id }) => id));
  const [lead, setLead] = useState(() => contacts.lead.map(({ id }) => id));
  const people = userOptions(contacts.candidates);
  return (
    <DialogForm
      verb={t`Save`}
      action={save}
      onCancel={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ body: { onCall, lead } }, { onSuccess: onClose });
      }}
    >
      <p className="muted">
        {t`The reader is reminded when a third of the time is left. Escalation stops when the communication is recorded. If no users are selected, administrators are notified.`}
      </p>
      <MultiSelect
        label={t`On call: notified when the time limit ends`}
        data={people}
        value={onCall}
        onChange={setOnCall}
        searchable
        data-autofocus
      />
      <MultiSelect label={t`Lead: notified next`} data={people} value={lead} onChange={setLead} searchable />
    </DialogForm>
  );
}
