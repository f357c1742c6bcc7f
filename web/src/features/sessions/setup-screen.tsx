import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { sessions } from '@radwork/contract/sessions';
import { setup } from '@radwork/contract/tenants';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError, call, wordsFor } from '#core/api.ts';
import { productName } from '#core/product.ts';
import { keepSession } from '#core/session.ts';
import { faultsIn, focusFirstFault, isAtFields } from '#ui/form-faults.ts';
import { Notice } from '#ui/notice.tsx';
import { EmptyState, ErrorState, Skeleton } from '#ui/states.tsx';
import { TimeZoneSelect } from '#ui/time-zone-select.tsx';
import { Lightbox } from '#ui/lightbox.tsx';
import styles from './login-screen.module.css';

/** /setup: opened by the link that the server printed at its first start. */
export function SetupScreen() {
  // The token follows the "#", which is never sent to servers or proxies.
  const [token] = useState(() => window.location.hash.slice(1));
  const check = useQuery({
    queryKey: ['setup', token],
    queryFn: ({ signal }) => call(setup.check, { body: { token } }, { signal, isAnonymous: true }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Lightbox>
      {check.isPending && <Skeleton lines={6} />}
      {check.error instanceof ApiError && check.error.status === 404 && (
        <EmptyState
          isPage
          title={t`This link does not open anything`}
          detail={t`It works once and for 24 hours, and only while there is no organisation. The server prints a new one each time that it starts without one.`}
        />
      )}
      {check.error && !(check.error instanceof ApiError && check.error.status === 404) && (
        <ErrorState
          failed={t`The link could not be checked`}
          error={check.error}
          onRetry={() => void check.refetch()}
        />
      )}
      {check.isSuccess && (
        <>
          <h1 className={styles.title}>
            <Trans>Welcome to {productName}</Trans>
          </h1>
          <p className={styles.lead}>
            {t`Make the first organisation, and the account that administers this installation. There is no other account.`}
          </p>
          <SetupForm token={token} />
        </>
      )}
    </Lightbox>
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
      form.setErrors(faultsIn(error));
      focusFirstFault(form.getInputNode, faultsIn(error));
    } finally {
      setBusy(false);
    }
  };
  return { form, failure, isBusy, submit };
};

/** Signs in. After a failure the router opens the sign-in page. */
const signIn = async (subdomain: string, { administrator, password }: ReturnType<typeof fieldsOf>) => {
  const body = { username: administrator.username, password };
  const headers = { 'x-tenantid': subdomain };
  await call(sessions.login, { body }, { headers, isAnonymous: true }).then(keepSession, () => undefined);
};

function SetupForm({ token }: { token: string }) {
  const { form, failure, isBusy, submit } = useSetup(token);
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={form.onSubmit(
        (body) => void submit(body),
        (faults) => focusFirstFault(form.getInputNode, faults),
      )}
    >
      {failure && !isAtFields(failure) && (
        <Notice tone="danger">{wordsFor(failure, t`The organisation could not be made`)}</Notice>
      )}
      <TextInput label={t`Name of the organisation`} withAsterisk autoFocus {...form.getInputProps('name')} />
      <TextInput
        label={t`Subdomain`}
        withAsterisk
        autoCapitalize="none"
        spellCheck={false}
        description={t`A short name, such as north-clinic. People may type it when they sign in.`}
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
        label={t`Your e-mail`}
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
        description={t`At least 12 characters. A sentence is easier to keep in mind than signs.`}
        {...form.getInputProps('password')}
      />
      <Button type="submit" size="sm" loading={isBusy} fullWidth>
        {t`Make the organisation`}
      </Button>
    </form>
  );
}
