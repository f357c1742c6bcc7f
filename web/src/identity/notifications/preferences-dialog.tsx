import { t } from '@lingui/core/macro';
import { Switch } from '@mantine/core';
import {
  notifications,
  notificationTypeLabels,
  notificationTypes,
  type OptionalNotificationType,
} from '@radwork/contract/identity/notifications';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { query, useAction } from '#core/http/api.ts';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { notificationKinds } from './notification-kinds.ts';
import styles from './preferences-dialog.module.css';

type Props = { opened: boolean; onClose: () => void };

/** Dialog in which the user chooses the kinds of notifications to receive. */
export function PreferencesDialog({ opened, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Notification preferences`} size={460}>
      <Preferences onClose={onClose} />
    </Dialog>
  );
}

function Preferences({ onClose }: Pick<Props, 'onClose'>) {
  const { data, error, refetch } = useQuery(query(notifications.preferences, {}));
  if (data) return <PreferencesForm saved={data.unwanted} onClose={onClose} />;
  if (error) return <ErrorState failed={t`Failed to load preferences`} error={error} onRetry={() => void refetch()} />;
  return <Skeleton lines={8} label={t`Loading preferences`} />;
}

type FormProps = { saved: readonly OptionalNotificationType[]; onClose: () => void };

function PreferencesForm({ saved, onClose }: FormProps) {
  const [unwanted, setUnwanted] = useState(saved);
  const saving = useAction(notifications.savePreferences, {
    done: t`Preferences saved`,
    failed: t`Failed to save preferences`,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate({ body: { unwanted: [...unwanted] } }, { onSuccess: onClose });
  };
  const choose = (type: OptionalNotificationType, isWanted: boolean) =>
    setUnwanted(isWanted ? unwanted.filter((other) => other !== type) : [...unwanted, type]);

  return (
    <DialogForm verb={t`Save`} action={saving} onSubmit={submit} onCancel={onClose}>
      <div className={styles.types}>
        {notificationTypes.map((type, index) =>
          type === 'CRITICAL_FINDING' || type === 'ACCOUNT' ? (
            <Switch key={type} {...wordsOf(type)} checked disabled />
          ) : (
            <Switch
              key={type}
              {...wordsOf(type)}
              data-autofocus={index === 0 || undefined}
              checked={!unwanted.includes(type)}
              onChange={(event) => choose(type, event.currentTarget.checked)}
            />
          ),
        )}
      </div>
    </DialogForm>
  );
}

const wordsOf = (type: (typeof notificationTypes)[number]) => ({
  label: notificationTypeLabels[type],
  description: notificationKinds[type].when,
});
