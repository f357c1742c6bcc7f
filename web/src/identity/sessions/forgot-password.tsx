import { t } from '@lingui/core/macro';
import { Button, TextInput } from '@mantine/core';
import { passwordLinks } from '@radwork/contract/identity/accounts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '#core/http/api.ts';
import { LoginFailure } from './login-failure.tsx';
import styles from './login-screen.module.css';

type Props = { username: string; onBack: (username: string) => void };

/** Requests a link by e-mail to set a new password. The response does not reveal whether the account exists. */
export function ForgotPassword({ username: initialUsername, onBack }: Props) {
  const [username, setUsername] = useState(initialUsername);
  const [organization, setOrganization] = useState('');
  const [isChecked, setChecked] = useState(false);
  const linkRequest = useMutation({
    mutationFn: () => {
      const subdomain = organization.trim().toLowerCase();
      return call(
        passwordLinks.forgot,
        { body: { username } },
        subdomain ? { headers: { 'x-tenantid': subdomain } } : {},
      );
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (username.trim() !== '' && !linkRequest.isPending) linkRequest.mutate();
  };
  const back = (
    <button type="button" className={styles.other} onClick={() => onBack(username)}>
      {t`Back to sign in`}
    </button>
  );
  if (linkRequest.isSuccess) {
    return (
      <div className={styles.form} role="status">
        <h1 className={styles.title}>{t`Check your e-mail`}</h1>
        <p className={styles.lead}>
          {t`If the account “${username}” exists, a link was sent to its e-mail address. It works once, within 30 minutes. If no e-mail arrives, ask your administrator.`}
        </p>
        {back}
      </div>
    );
  }
  return (
    <>
      <h1 className={styles.title}>{t`Forgot your password?`}</h1>
      <p className={styles.lead}>{t`We will e-mail you a link to set a new password.`}</p>
      <form className={styles.form} onSubmit={submit} noValidate>
        {linkRequest.error && <LoginFailure error={linkRequest.error} />}
        <TextInput
          size="sm"
          label={t`Organization (optional)`}
          description={t`Required only if several organizations have your username.`}
          autoComplete="organization"
          autoCapitalize="none"
          spellCheck={false}
          value={organization}
          maxLength={63}
          onChange={(event) => setOrganization(event.currentTarget.value)}
        />
        <TextInput
          size="sm"
          label={t`Username`}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          maxLength={64}
          value={username}
          error={isChecked && username.trim() === '' && t`Username is required`}
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <Button type="submit" size="sm" loading={linkRequest.isPending} fullWidth>
          {t`Send link`}
        </Button>
        {back}
      </form>
    </>
  );
}
