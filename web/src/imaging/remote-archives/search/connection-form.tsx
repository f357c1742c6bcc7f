import { t } from '@lingui/core/macro';
import { Button, Checkbox, NumberInput, PasswordInput, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { connectionInput, remoteStudies } from '@radwork/contract/imaging/remote-studies';
import { IconPlugConnected } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { ApiError, call, errorMessageOf } from '#core/http/api.ts';
import { fieldErrorsOf, focusFirstInvalid } from '#ui/forms/field-errors.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from '#imaging/remote-archives/forms.module.css';

/** Address of an archive and the user name for it. */
type Place = { host: string; port: number; path: string; isTls: boolean; username: string };

/** An open connection to an archive. Searches and imports refer to it by `id`. */
export type Connection = { id: string; server: string; place: Place };

type Props = {
  /** Address of the connection closed last, used as default. */
  lastPlace: Place | undefined;
  onConnect: (connection: Connection) => void;
};

const withoutPassword = ({ host, port, path, isTls, username }: Place): Place => ({
  host,
  port,
  path,
  isTls,
  username,
});

const usualPlace: Place = { host: '', port: 8042, path: '/dicom-web', isTls: false, username: '' };

/** Form for the address and credentials of an archive. */
export function ConnectionForm({ lastPlace, onConnect }: Props) {
  const form = useForm({
    initialValues: { ...(lastPlace ?? usualPlace), password: '' },
    validate: schemaResolver(connectionInput, { sync: true }),
  });
  const connect = useMutation({
    mutationFn: (body: typeof form.values) => call(remoteStudies.connect, { body }),
    onSuccess: ({ id, server }, fields) => onConnect({ id, server, place: withoutPassword(fields) }),
    onError: (error) => form.setErrors(fieldErrorsOf(error)),
  });
  return (
    <form
      className={styles.connection}
      noValidate
      onSubmit={form.onSubmit(
        (values) => connect.mutate(values),
        (faults) => focusFirstInvalid(form.getInputNode, faults),
      )}
    >
      <TextInput
        label={t`Host`}
        withAsterisk
        autoFocus={lastPlace !== undefined}
        placeholder="pacs.example.org"
        {...form.getInputProps('host')}
      />
      <NumberInput
        label={t`Port`}
        withAsterisk
        hideControls
        allowDecimal={false}
        allowNegative={false}
        {...form.getInputProps('port')}
      />
      <TextInput className={styles.path} label={t`Path`} {...form.getInputProps('path')} />
      <TextInput label={t`Username`} autoComplete="off" {...form.getInputProps('username')} />
      <PasswordInput label={t`Password`} autoComplete="off" {...form.getInputProps('password')} />
      <div className={styles.connect}>
        <Checkbox label="TLS" {...form.getInputProps('isTls', { type: 'checkbox' })} />
        <Button type="submit" loading={connect.isPending} leftSection={<IconPlugConnected size={16} aria-hidden />}>
          {t`Connect`}
        </Button>
      </div>
      {connect.error && (
        <div className={styles.wide}>
          <Notice tone="danger">{connectFailure(connect.error)}</Notice>
        </div>
      )}
    </form>
  );
}

/** Error code whose message comes from the server. */
const failedToConnect = 'remote.failed';

const connectFailure = (error: Error): string => {
  const words = errorMessageOf(error, error.message);
  return error instanceof ApiError && error.error === failedToConnect ? words : t`Failed to connect to PACS: ${words}`;
};
