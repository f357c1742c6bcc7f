import { t } from '@lingui/core/macro';
import { remoteConfigurations } from '@radwork/contract/imaging/remote-archives';
import { useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { ConfigurationForm } from './configuration-form.tsx';

type Props = {
  opened: boolean;
  /** ID of the configuration to edit; undefined for a new configuration. */
  id: string | undefined;
  onClose: () => void;
};

/** Dialog that creates or edits a configuration. The user can replace secrets but never sees them. */
export function ConfigurationDialog({ opened, id, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={id ? t`Edit configuration` : t`Create configuration`} size={620}>
      {id ? <StoredForm id={id} onClose={onClose} /> : <ConfigurationForm stored={undefined} onClose={onClose} />}
    </Dialog>
  );
}

function StoredForm({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery({
    ...query(remoteConfigurations.read, { params: { id } }),
    // The configuration is never refetched, because a refetch would overwrite the input.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (error)
    return <ErrorState failed={t`Failed to load configurations`} error={error} onRetry={() => void refetch()} />;
  return data ? <ConfigurationForm stored={data} onClose={onClose} /> : <Skeleton lines={6} />;
}
