import { t } from '@lingui/core/macro';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { passwordLinks, secondFactorRequired } from '@radwork/contract/identity/accounts';
import { credentials, sessionEnds, sessions } from '@radwork/contract/identity/sessions';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { z } from 'zod';
import { ApiError, call, query } from '#core/http/api.ts';
import { organizationInAddress, useProductName } from '#core/http/product-name.ts';
import { clearSessionData } from '#core/http/session-cleanup.ts';
import { hasServedAnother, saveSession, readSessionEnd, useSession } from '#core/state/session.ts';
import { LoginFailure } from './login-failure.tsx';
import { ForgotPassword } from './forgot-password.tsx';
import styles from './login-screen.module.css';
import { type AcceptedSignIn, SecondFactorStep } from './second-factor-step.tsx';
import { EntryPage } from '#ui/layout/entry-page.tsx';
import { Notice } from '#ui/feedback/notice.tsx';

const route = getRouteApi('/login');

const loginForm = credentials.extend({
  organization: z
    .string()
    .trim()
    .max(63, t`The organization is too long`),
});

/** Screen to sign in. An existing session ends before this screen opens. */
export function LoginScreen({ arrival, otherWays }: { arrival?: ReactNode } & OtherWays) {
  useWayIn();
  useEffect(() => void clearSessionData(), []);
  const [step, setStep] = useState<Step>({ kind: 'password', username: '' });
  const [ended] = useState(readSessionEnd);
  const productName = useProductName();
  return (
    <EntryPage>
      {step.kind === 'code' && <SecondFactorStep accepted={step.accepted} onStartAgain={startWith} />}
      {step.kind === 'forgotten' && <ForgotPassword username={step.username} onBack={startWith} />}
      {step.kind === 'password' && (
        <>
          <h1 className={styles.title}>{t`Sign in`}</h1>
          <p className={styles.lead}>{t`Use your ${productName} account.`}</p>
          {ended && <Notice tone="warning">{sessionEnds[ended]()}</Notice>}
          {arrival && <div className={styles.arrival}>{arrival}</div>}
          <LoginForm step={step} onStep={setStep} otherWays={otherWays} />
        </>
      )}
    </EntryPage>
  );

  function startWith(username: string, failure?: unknown) {
    setStep({ kind: 'password', username, failure });
  }
}

type PasswordStep = { kind: 'password'; username: string; failure?: unknown };
type Step = PasswordStep | { kind: 'code'; accepted: AcceptedSignIn } | { kind: 'forgotten'; username: string };

/**
 * Opens the requested page after the user signs in, here or in another tab. If another user was signed in before,
 * reloads the page. Otherwise libraries would keep images, headers and files of that user in memory. The names of these
 * files may be the same in two organizations.
 */
const useWayIn = () => {
  const { redirect = '/dashboard' } = route.useSearch();
  const session = useSession();
  const router = useRouter();
  useEffect(() => {
    if (session && hasServedAnother()) window.location.replace(redirect);
    else if (session) router.history.replace(redirect);
  }, [session, redirect, router]);
};

/** Renders other ways to sign in to the typed organization. */
type OtherWays = { otherWays?: ((organization: string) => ReactNode) | undefined };

type LoginFormProps = { step: PasswordStep; onStep: (step: Step) => void } & OtherWays;

function LoginForm({ step, onStep, otherWays }: LoginFormProps) {
  const { organization: requestedOrganization = '' } = route.useSearch();
  const facts = useQuery(query(passwordLinks.facts, {}));
  const [failure, setFailure] = useState<unknown>(step.failure);
  const [isBusy, setBusy] = useState(false);
  const form = useForm({
    initialValues: {
      organization: requestedOrganization || organizationInAddress(window.location),
      username: step.username,
      password: '',
    },
    validate: schemaResolver(loginForm, { sync: true }),
  });

  const signIn = async ({ organization, ...body }: z.infer<typeof loginForm>) => {
    setBusy(true);
    setFailure(undefined);
    const subdomain = organization.trim().toLowerCase();
    try {
      const session = await call(sessions.login, { body }, subdomain ? { headers: { 'x-tenantid': subdomain } } : {});
      // Repeats the deletion of session data, because the server may have been unreachable when this page opened.
      void clearSessionData();
      saveSession(session);
    } catch (error) {
      if (error instanceof ApiError && error.error === secondFactorRequired) {
        return onStep({ kind: 'code', accepted: { ...body, subdomain } });
      }
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
        label={t`Organization (optional)`}
        description={t`Required only if several organizations have your username.`}
        autoComplete="organization"
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('organization')}
      />
      <TextInput
        size="sm"
        label={t`Username`}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        {...form.getInputProps('username')}
      />
      <PasswordInput
        size="sm"
        label={t`Password`}
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
      <Button type="submit" size="sm" loading={isBusy} fullWidth>
        {t`Sign in`}
      </Button>
      {facts.data?.canSendMail && (
        <button
          type="button"
          className={styles.other}
          onClick={() => onStep({ kind: 'forgotten', username: form.getValues().username })}
        >
          {t`Forgot password?`}
        </button>
      )}
      {otherWays?.(form.values.organization)}
    </form>
  );
}
