import { t } from '@lingui/core/macro';
import { Button, TextInput } from '@mantine/core';
import { sessions } from '@radwork/contract/identity/sessions';
import { secondFactorRequired } from '@radwork/contract/identity/accounts';
import { type FormEvent, useRef, useState } from 'react';
import { ApiError, call } from '#core/http/api.ts';
import { saveSession } from '#core/state/session.ts';
import { LoginFailure } from './login-failure.tsx';
import styles from './login-screen.module.css';

/** User name and password that the server has accepted. */
export type AcceptedSignIn = { username: string; password: string; subdomain: string };

type Props = { accepted: AcceptedSignIn; onStartAgain: (username: string, failure?: unknown) => void };

/** Second step of signing in: the code of the authenticator app, or a recovery code. */
export function SecondFactorStep({ accepted, onStartAgain }: Props) {
  const [code, setCode] = useState('');
  const [isRecovery, setRecovery] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const { subdomain, ...credentials } = accepted;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() === '' || isBusy) return field.current?.focus();
    setBusy(true);
    try {
      const options = subdomain ? { headers: { 'x-tenantid': subdomain } } : {};
      saveSession(await call(sessions.login, { body: { ...credentials, code } }, options));
    } catch (error) {
      // The first step is no longer valid, for example because the password has changed. The user must start again.
      if (error instanceof ApiError && error.status === 401 && error.error !== secondFactorRequired) {
        return onStartAgain(accepted.username, error);
      }
      setFailure(error);
      setCode('');
      field.current?.focus();
    } finally {
      setBusy(false);
    }
  };
  const change = () => {
    setRecovery(!isRecovery);
    setCode('');
    setFailure(undefined);
    field.current?.focus();
  };

  return (
    <>
      <h1 className={styles.title}>{isRecovery ? t`Use a recovery code` : t`Enter your code`}</h1>
      <p className={styles.lead}>
        {isRecovery
          ? t`Enter one of your ten recovery codes. Each works once.`
          : t`Enter the six digits from your authenticator app.`}
      </p>
      <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        {failure !== undefined && <LoginFailure error={failure} />}
        <TextInput
          ref={field}
          size="sm"
          label={isRecovery ? t`Recovery code` : t`Code`}
          className={styles.code}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          inputMode={isRecovery ? 'text' : 'numeric'}
          spellCheck={false}
          autoFocus
          maxLength={64}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" size="sm" loading={isBusy} fullWidth>
          {t`Sign in`}
        </Button>
        <button type="button" className={styles.other} onClick={change}>
          {isRecovery ? t`Use the authenticator app` : t`Use a recovery code`}
        </button>
        <button type="button" className={styles.other} onClick={() => onStartAgain(accepted.username)}>
          {t`Start again`}
        </button>
      </form>
    </>
  );
}
