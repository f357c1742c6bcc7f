import { Button, Modal, PasswordInput, Select, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import {
  authTypes,
  type RemoteConfiguration,
  remoteConfigurationInput,
  remoteConfigurations,
  remoteProtocols,
} from '@radwork/contract/remote-configurations';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ApiError, call, query, useAction, wordsFor } from '#core/api.ts';
import { Notice } from '#ui/notice.tsx';
import { ErrorState, Skeleton } from '#ui/states.tsx';
import { ConnectionTestResult } from './connection-test.tsx';
import styles from './remote-archives.module.css';

type Props = { opened: boolean; id: string | undefined; onClose: () => void };

/** The form of a new configuration, or of one that there is. Secrets can be replaced here, never read. */
export function ConfigurationDialog({ opened, id, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={id ? 'Edit configuration' : 'Add configuration'} size={620}>
      {id ? <StoredForm id={id} onClose={onClose} /> : <ConfigurationForm stored={undefined} onClose={onClose} />}
    </Modal>
  );
}

function StoredForm({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery({
    ...query(remoteConfigurations.read, { params: { id } }),
    // A form that is open keeps what was typed.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (error) return <ErrorState failed="Failed to load configurations" error={error} onRetry={() => void refetch()} />;
  return data ? <ConfigurationForm stored={data} onClose={onClose} /> : <Skeleton lines={6} />;
}

const empty = {
  aeTitle: '',
  protocol: 'DICOMWEB' as const,
  baseUrl: '',
  resourcesUri: '',
  qidoEndpoint: '',
  wadoEndpoint: '',
  authType: 'NONE' as const,
  username: '',
};

const protocolLabels = { DICOMWEB: 'DICOMweb', FHIR: 'FHIR', DIMSE: 'DIMSE (C-FIND, C-GET)' };
const authLabels = { NONE: 'None', BASIC: 'User name and password', BEARER: 'Bearer token', API: 'API key' };

const placeholders = {
  DICOMWEB: 'https://pacs.example.org/dicom-web',
  FHIR: 'https://fhir.example.org/r4',
  DIMSE: 'dicom://CALLED_AE@pacs.example.org:104',
};

function ConfigurationForm({ stored, onClose }: { stored: RemoteConfiguration | undefined; onClose: () => void }) {
  const form = useForm({
    initialValues: { ...empty, ...given(stored), password: '', token: '', apiKey: '', apiSecret: '' },
    validate: schemaResolver(remoteConfigurationInput, { sync: true }),
  });
  const { protocol, authType } = form.values;
  const save = useSave(stored, (fields) => form.setErrors(fields), onClose);
  const test = useMutation({
    mutationFn: (values: typeof form.values) =>
      call(
        remoteConfigurations.testUnsaved,
        { body: { ...values, ...(stored && { id: stored.id }) } },
        { timeout: 15_000 },
      ),
    onError: (error) => error instanceof ApiError && form.setErrors(error.fields),
  });
  const secret = (name: 'password' | 'token' | 'apiKey' | 'apiSecret', label: string, has: boolean | undefined) => (
    <PasswordInput
      label={label}
      autoComplete="new-password"
      placeholder={has ? 'Stored; empty keeps it' : ''}
      {...form.getInputProps(name)}
    />
  );

  return (
    <form className={styles.form} noValidate onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <TextInput label="AE Title" withAsterisk data-autofocus {...form.getInputProps('aeTitle')} />
      <Select
        label="Protocol"
        withAsterisk
        allowDeselect={false}
        data={remoteProtocols.map((value) => ({ value, label: protocolLabels[value] }))}
        {...form.getInputProps('protocol')}
      />
      <TextInput
        className={styles.wide}
        label="Base URL"
        withAsterisk
        placeholder={placeholders[protocol]}
        {...form.getInputProps('baseUrl')}
      />
      {protocol === 'FHIR' && (
        <TextInput
          className={styles.wide}
          label="Resources URI"
          placeholder="ImagingStudy"
          {...form.getInputProps('resourcesUri')}
        />
      )}
      {protocol !== 'DIMSE' && (
        <>
          <TextInput label="QIDO endpoint" placeholder="Below the base URL" {...form.getInputProps('qidoEndpoint')} />
          <TextInput label="WADO endpoint" placeholder="Below the base URL" {...form.getInputProps('wadoEndpoint')} />
          <Select
            label="Sign-in"
            withAsterisk
            allowDeselect={false}
            data={authTypes.map((value) => ({ value, label: authLabels[value] }))}
            {...form.getInputProps('authType')}
          />
        </>
      )}
      {authType === 'BASIC' && (
        <>
          <TextInput label="User name" withAsterisk autoComplete="off" {...form.getInputProps('username')} />
          {secret('password', 'Password', stored?.hasPassword)}
        </>
      )}
      {authType === 'BEARER' && secret('token', 'Token', stored?.hasToken)}
      {authType === 'API' && (
        <>
          {secret('apiKey', 'API key', stored?.hasApiKey)}
          {secret('apiSecret', 'API secret', stored?.hasApiSecret)}
        </>
      )}
      {test.data && (
        <div className={`${styles.wide} ${styles.connected}`}>
          <ConnectionTestResult result={test.data} />
        </div>
      )}
      {(save.error ?? test.error) && (
        <div className={styles.wide}>
          <Notice tone="danger">{wordsFor(save.error ?? test.error, 'Failed to save configuration')}</Notice>
        </div>
      )}
      <div className={styles.buttons}>
        <Button
          variant="default"
          loading={test.isPending}
          onClick={() => !form.validate().hasErrors && test.mutate(form.values)}
        >
          Test connection
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={save.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}

const given = (stored: RemoteConfiguration | undefined) =>
  stored && {
    aeTitle: stored.aeTitle,
    protocol: stored.protocol,
    baseUrl: stored.baseUrl,
    resourcesUri: stored.resourcesUri,
    qidoEndpoint: stored.qidoEndpoint,
    wadoEndpoint: stored.wadoEndpoint,
    authType: stored.authType,
    username: stored.username,
  };

type Values = ReturnType<typeof remoteConfigurationInput.parse>;

/** Creates or replaces; what is wrong with a field is shown at the field, the rest in the form. */
const useSave = (
  stored: RemoteConfiguration | undefined,
  onFaults: (fields: Record<string, string>) => void,
  onDone: () => void,
) => {
  const says = { done: 'Configuration saved', failed: 'Failed to save configuration' };
  const create = useAction(remoteConfigurations.create, says);
  const replace = useAction(remoteConfigurations.replace, says);
  const after = {
    onSuccess: onDone,
    onError: (error: Error) => error instanceof ApiError && onFaults(error.fields),
  };
  return {
    error: create.error ?? replace.error,
    isPending: create.isPending || replace.isPending,
    mutate: (body: Values) =>
      stored
        ? replace.mutate({ params: { id: stored.id }, body: { ...body, revision: stored.revision } }, after)
        : create.mutate({ body }, after),
  };
};
