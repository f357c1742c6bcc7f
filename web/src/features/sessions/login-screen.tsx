import { Button, PasswordInput, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { credentials, sessions } from '@radwork/contract/sessions';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { z } from 'zod';
import { ApiError, call } from '#core/api.ts';
import { productName } from '#core/product.ts';
import { keepSession, useSession } from '#core/session.ts';
import { Notice } from '#ui/notice.tsx';
import styles from './login-screen.module.css';
import { Lightbox } from './lightbox.tsx';

const route = getRouteApi('/login');

const loginForm = credentials.extend({ organisation: z.string().trim().max(63, 'The organisation is too long') });

/** Signing in. Entering this page has already signed out whoever was signed in. */
export function LoginScreen() {
  useWayIn();
  return (
    <Lightbox>
      <h1 className={styles.title}>Sign in</h1>
      <p className={styles.lead}>Use the account that your organisation gave you for {productName}.</p>
      <LoginForm />
    </Lightbox>
  );
}

/** As soon as somebody is signed in, here or in another tab, goes on to the page that was asked for. */
const useWayIn = () => {
  const { redirect = '/dashboard' } = route.useSearch();
  const session = useSession();
  const router = useRouter();
  useEffect(() => {
    if (session) router.history.replace(redirect);
  }, [session, redirect, router]);
};

function LoginForm() {
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const form = useForm({
    initialValues: { organisation: '', username: '', password: '' },
    validate: schemaResolver(loginForm, { sync: true }),
  });

  const signIn = async ({ organisation, ...body }: z.infer<typeof loginForm>) => {
    setBusy(true);
    setFailure(undefined);
    const subdomain = organisation.trim().toLowerCase();
    try {
      keepSession(await call(sessions.login, { body }, subdomain ? { headers: { 'x-tenantid': subdomain } } : {}));
    } catch (error) {
      setFailure(error);
      if (error instanceof ApiError) form.setErrors(error.fields);
      form.setFieldValue('password', '');
    } finally {
      setBusy(false);
    }
  };

  return (
    <form className={styles.form} onSubmit={form.onSubmit((values) => void signIn(values))} noValidate>
      {failure !== undefined && <LoginFailure error={failure} />}
      <TextInput
        size="sm"
        label="Organisation (optional)"
        description="Needed only when your username exists in more than one."
        autoComplete="organization"
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('organisation')}
      />
      <TextInput
        size="sm"
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        {...form.getInputProps('username')}
      />
      <PasswordInput size="sm" label="Password" autoComplete="current-password" {...form.getInputProps('password')} />
      <Button type="submit" size="sm" loading={isBusy} fullWidth>
        Sign in
      </Button>
    </form>
  );
}

/** Why it did not work, and, when there were too many attempts, when the next one counts. */
function LoginFailure({ error }: { error: unknown }) {
  const message = error instanceof ApiError ? error.message : 'Signing in failed';
  const wait = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  return (
    <Notice tone="danger">
      {message}
      {wait !== undefined && <p className="muted">You can try again at {formatTimeIn(wait)}.</p>}
    </Notice>
  );
}

const formatTimeIn = (seconds: number): string =>
  new Date(Date.now() + seconds * 1000).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
