import { t } from '@lingui/core/macro';
import { PasswordInput, Select, TextInput } from '@mantine/core';
import { authTypes, type RemoteConfiguration, remoteProtocols } from '@radwork/contract/imaging/remote-archives';
import { IssuerInput } from '#ui/forms/issuer-input.tsx';
import { authLabels, protocolLabels } from './configuration-labels.ts';
import styles from '#imaging/remote-archives/forms.module.css';
import type { ConfigurationForm } from './use-configuration-form.ts';

const placeholders = {
  DICOMWEB: 'https://pacs.example.org/dicom-web',
  FHIR: 'https://fhir.example.org/r4',
  DIMSE: t`dicoms://PACS@pacs.example.org:2762, or dicom:// without TLS`,
};

/** Fields for name and address of the archive. */
export function AddressFields({ form }: { form: ConfigurationForm }) {
  const { protocol } = form.values;
  return (
    <>
      <TextInput label={t`AE title`} withAsterisk data-autofocus {...form.getInputProps('aeTitle')} />
      <Select
        label={t`Protocol`}
        withAsterisk
        allowDeselect={false}
        data={remoteProtocols.map((value) => ({ value, label: protocolLabels[value] }))}
        {...form.getInputProps('protocol')}
      />
      <TextInput
        className={styles.wide}
        label={t`Base URL`}
        withAsterisk
        placeholder={placeholders[protocol]}
        description={
          protocol === 'DIMSE' &&
          t`AE title, host and port of the archive. End with /TITLE to set the calling AE title (default: RADWORK).`
        }
        {...form.getInputProps('baseUrl')}
      />
      {protocol === 'FHIR' && (
        <TextInput
          className={styles.wide}
          label={t`Resources URI`}
          placeholder="ImagingStudy"
          {...form.getInputProps('resourcesUri')}
        />
      )}
      {protocol !== 'DIMSE' && (
        <>
          <TextInput label={t`QIDO endpoint`} placeholder={t`Base URL`} {...form.getInputProps('qidoEndpoint')} />
          <TextInput label={t`WADO endpoint`} placeholder={t`Base URL`} {...form.getInputProps('wadoEndpoint')} />
        </>
      )}
      <IssuerInput className={styles.wide} {...form.getInputProps('issuer')} />
    </>
  );
}

type SignInProps = { form: ConfigurationForm; stored: RemoteConfiguration | undefined };

/** Fields for the sign-in method, and for the credentials of the chosen method. */
export function SignInFields({ form, stored }: SignInProps) {
  const { authType } = form.values;
  const isSameWay = stored?.authType === authType;
  return (
    <>
      <Select
        label={t`Sign-in`}
        withAsterisk
        allowDeselect={false}
        data={authTypes.map((value) => ({ value, label: authLabels[value] }))}
        {...form.getInputProps('authType')}
      />
      {authType === 'BASIC' && (
        <>
          <TextInput label={t`Username`} withAsterisk autoComplete="off" {...form.getInputProps('username')} />
          <Secret form={form} name="password" label={t`Password`} isStored={isSameWay && stored.hasPassword} />
        </>
      )}
      {authType === 'BEARER' && (
        <Secret form={form} name="token" label={t`Token`} isStored={isSameWay && stored.hasToken} />
      )}
      {authType === 'API' && (
        <>
          <Secret form={form} name="apiKey" label={t`API key`} isStored={isSameWay && stored.hasApiKey} />
          <Secret
            form={form}
            name="apiSecret"
            label={t`API secret`}
            isStored={isSameWay && stored.hasApiSecret}
            isOptional
          />
        </>
      )}
    </>
  );
}

type SecretProps = {
  form: ConfigurationForm;
  name: 'password' | 'token' | 'apiKey' | 'apiSecret';
  label: string;
  isStored: boolean;
  isOptional?: boolean;
};

function Secret({ form, name, label, isStored, isOptional = false }: SecretProps) {
  return (
    <PasswordInput
      label={label}
      withAsterisk={!isStored && !isOptional}
      autoComplete="new-password"
      description={isStored && t`Leave empty to keep the stored value. A new server requires the value again.`}
      {...form.getInputProps(name)}
    />
  );
}
