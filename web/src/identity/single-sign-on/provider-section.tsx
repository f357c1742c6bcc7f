import { t } from '@lingui/core/macro';
import { Button, CopyButton, PasswordInput, Switch, TextInput } from '@mantine/core';
import {
  type ProviderToTest,
  singleSignOn,
  type SingleSignOnSettings,
  ssoJourney,
} from '@radwork/contract/identity/single-sign-on';
import { useMutation } from '@tanstack/react-query';
import { call, errorMessageOf } from '#core/http/api.ts';
import { fieldErrorsOf } from '#ui/forms/field-errors.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { StatusPill } from '#ui/marks/status-pill.tsx';
import { SettingsSection } from '#ui/forms/settings-section.tsx';
import styles from './single-sign-on.module.css';
import type { SignOnForm } from './use-sign-on-form.ts';

type Props = { form: SignOnForm; stored: SingleSignOnSettings };

/** Settings of the sign-on provider, and the data for registering this server with the provider. */
export function ProviderSection({ form, stored }: Props) {
  return (
    <SettingsSection
      title={t`Provider`}
      about={t`OpenID provider of your organization, such as Microsoft Entra ID, Google Workspace, Okta or Keycloak. Register this server there as a web application with the redirect address below.`}
    >
      <Switch
        label={t`Single sign-on with this provider`}
        description={t`Shows a button on the sign-in page of your organization`}
        {...form.getInputProps('isOn', { type: 'checkbox' })}
      />
      <RedirectAddress address={stored.redirectAddress} />
      <TextInput
        label={t`Issuer`}
        placeholder="https://login.example.org/tenant"
        description={t`Address before /.well-known/openid-configuration`}
        {...form.getInputProps('issuer')}
      />
      <div className={styles.pair}>
        <TextInput label={t`Client ID`} autoComplete="off" {...form.getInputProps('clientId')} />
        <PasswordInput
          label={t`Client secret`}
          autoComplete="new-password"
          description={
            stored.hasClientSecret
              ? t`Leave empty to keep the secret. A new address requires the secret again.`
              : t`Leave empty if there is none`
          }
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps('clientSecret')}
        />
      </div>
      <ProviderCheck form={form} />
      <div className={styles.pair}>
        <TextInput
          label={t`Label`}
          description={t`Shown on the button: “Sign in with …”`}
          placeholder={t`North Clinic account`}
          {...form.getInputProps('label')}
        />
        <TextInput label={t`Scopes`} description={t`Names separated by spaces`} {...form.getInputProps('scopes')} />
      </div>
    </SettingsSection>
  );
}

function RedirectAddress({ address }: { address: string }) {
  const displayed = address || `${window.location.origin}${ssoJourney.callback.path}`;
  return (
    <div className={styles.line}>
      <span>{t`Redirect address`}</span>
      <code className={styles.address}>{displayed}</code>
      <CopyButton value={displayed}>
        {({ copied, copy }) => (
          <Button variant="default" size="compact-xs" onClick={copy}>
            {copied ? t`Copied` : t`Copy`}
          </Button>
        )}
      </CopyButton>
    </div>
  );
}

function ProviderCheck({ form }: { form: SignOnForm }) {
  const { issuer, clientId, clientSecret } = form.values;
  const provider: ProviderToTest = { issuer, clientId, clientSecret };
  const test = useMutation({
    mutationFn: (body: ProviderToTest) => call(singleSignOn.test, { body }),
    onError: (error) => form.setErrors(fieldErrorsOf(error)),
  });
  // Whether the current values are those of the last test. A test result applies only to the tested values.
  const isTested = JSON.stringify(test.variables) === JSON.stringify(provider);
  const { data, error } = test;
  return (
    <div className={styles.test}>
      <Button variant="default" loading={test.isPending} onClick={() => test.mutate(provider)}>
        {t`Test connection`}
      </Button>
      {isTested && data && (
        <span className={styles.line} role="status">
          <StatusPill
            tone={data.isOk ? 'success' : 'danger'}
            shape={data.isOk ? 'dot' : 'diamond'}
            label={data.isOk ? t`Works` : t`Fails`}
          />
          <span>{data.message}</span>
        </span>
      )}
      {isTested && error && <Notice tone="danger">{errorMessageOf(error, error.message)}</Notice>}
    </div>
  );
}
