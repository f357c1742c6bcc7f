import { t } from '@lingui/core/macro';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { sessions } from '@radwork/contract/identity/sessions';
import { setup } from '@radwork/contract/identity/tenants';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError, call, errorMessageOf } from '#core/http/api.ts';
import { productName } from '#core/browser/product.ts';
import { saveSession } from '#core/state/session.ts';
import { fieldErrorsOf, focusFirstInvalid, isShownAtFields } from '#ui/forms/field-errors.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { TimeZoneSelect } from '#ui/forms/time-zone-select.tsx';
import { EntryPage } from '#ui/layout/entry-page.tsx';
import styles from './login-screen.module.css';

/** Screen /setup: sets up the installation. The server prints the link to it at its first start. */
export function SetupScreen() {
  // The token comes after "#", which browsers never send to servers or proxies.
  const [token] = useState(() => window.location.hash.slice(1));
  const check = useQuery({
    queryKey: ['setup', token],
    queryFn: ({ signal }) => call(setup.check, { body: { token } }, { signal, isAnonymous: true }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <EntryPage>
      {check.isPending && <Skeleton lines={6} />}
      {check.error instanceof ApiError && check.error.status === 404 && (
        <EmptyState
          isPage
          title={t`This link is not valid`}
          detail={t`The link works once, for 24 hours, until the first organization exists. If there is no organization yet, the server prints a new link at each start.`}
        />
      )}
      {check.error && !(check.error instanceof ApiError && check.error.status === 404) && (
        <ErrorState failed={t`Failed to check the link`} error={check.error} onRetry={() => void check.refetch()} />
      )}
      {check.isSuccess && (
        <>
          <h1 className={styles.title}>{t`Welcome to ${productName}`}</h1>
          <p className={styles.lead}>
            {t`Create the first organization and the account that administers this installation.`}
          </p>
          <SetupForm token={token} />
        </>
      )}
    </EntryPage>
  );
}

const fieldsOf = (token: string) => ({
  token,
  name: '',
  subdomain: '',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  administrator: { username: '', name: '', email: '' },
  password: '',
});

const useSetup = (token: string) => {
  const navigate = useNavigate();
  const [failure, setFailure] = useState<Error>();
  const [isBusy, setBusy] = useState(false);
  if (!setup.complete.body) throw new Error('This call is sent a form');
  const form = useForm({
    initialValues: fieldsOf(token),
    validate: schemaResolver(setup.complete.body, { sync: true }),
  });
  const submit = async (body: ReturnType<typeof fieldsOf>) => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { subdomain } = await call(setup.complete, { body }, { isAnonymous: true });
      await signIn(subdomain, body);
      await navigate({ to: '/' });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      setFailure(error);
      form.setErrors(fieldErrorsOf(error));
      focusFirstInvalid(form.getInputNode, fieldErrorsOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { form, failure, isBusy, submit };
};

/** Signs in after the setup. On failure, the router opens the sign-in screen. */
const signIn = async (subdomain: string, { administrator, password }: ReturnType<typeof fieldsOf>) => {
  const body = { username: administrator.username, password };
  const headers = { 'x-tenantid': subdomain };
  await call(sessions.login, { body }, { headers, isAnonymous: true }).then(saveSession, () => undefined);
};

function SetupForm({ token }: { token: string }) {
  const { form, failure, isBusy, submit } = useSetup(token);
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={form.onSubmit(
        (body) => void submit(body),
        (faults) => focusFirstInvalid(form.getInputNode, faults),
      )}
    >
      {failure && !isShownAtFields(failure) && (
        <Notice tone="danger">{errorMessageOf(failure, t`Failed to create the organization`)}</Notice>
      )}
      <TextInput label={t`Organization name`} withAsterisk autoFocus {...form.getInputProps('name')} />
      <TextInput
        label={t`Subdomain`}
        withAsterisk
        autoCapitalize="none"
        spellCheck={false}
        description={t`A short name, such as north-clinic. Users can enter it to sign in.`}
        {...form.getInputProps('subdomain')}
      />
      <TimeZoneSelect withAsterisk {...form.getInputProps('timeZone')} />
      <TextInput
        label={t`Your full name`}
        withAsterisk
        autoComplete="name"
        {...form.getInputProps('administrator.name')}
      />
      <TextInput
        label={t`Your e-mail address`}
        type="email"
        withAsterisk
        autoComplete="email"
        {...form.getInputProps('administrator.email')}
      />
      <TextInput
        label={t`Username`}
        withAsterisk
        autoCapitalize="none"
        autoComplete="username"
        spellCheck={false}
        {...form.getInputProps('administrator.username')}
      />
      <PasswordInput
        label={t`Password`}
        withAsterisk
        autoComplete="new-password"
        description={t`At least 12 characters. A sentence is easy to remember.`}
        {...form.getInputProps('password')}
      />
      <Button type="submit" size="sm" loading={isBusy} fullWidth>
        {t`Create organization`}
      </Button>
    </form>
  );
}
