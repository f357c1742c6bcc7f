import { t } from '@lingui/core/macro';
import { Button, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { newPassword, passwordLinks } from '@radwork/contract/identity/accounts';
import type { Reply } from '@radwork/contract/core/endpoint';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError, call, errorMessageOf } from '#core/http/api.ts';
import { fieldErrorsOf, focusFirstInvalid, isShownAtFields } from '#ui/forms/field-errors.ts';
import { EntryPage } from '#ui/layout/entry-page.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import styles from './account.module.css';
import { PasswordRules } from './password-rules.tsx';

/** Screen /set-password#token: sets a password with a link. Servers and proxies never log the part after "#". */
export function SetPasswordPage() {
  const token = useLocation({ select: ({ hash }) => hash });
  return (
    <EntryPage>
      <Opening key={token} token={token} />
    </EntryPage>
  );
}

function Opening({ token }: { token: string }) {
  const [account, setAccount] = useState<Account>();
  const link = useQuery({
    queryKey: ['password-link', token],
    queryFn: ({ signal }) => call(passwordLinks.check, { body: { token } }, { signal, isAnonymous: true }),
    enabled: token !== '',
    retry: false,
    refetchOnWindowFocus: false,
    staleTime: Infinity,
  });
  if (account) return <Done {...account} />;
  if (link.data) return <Choosing token={token} link={link.data} onSet={setAccount} />;
  if (token !== '' && link.isPending) return <Skeleton lines={5} label={t`Opening the link`} />;
  if (token === '' || isGone(link.error)) return <LinkExpired />;
  return <ErrorState failed={t`Failed to open the link`} error={link.error} onRetry={() => void link.refetch()} />;
}

const isGone = (error: Error | null) => error instanceof ApiError && [404, 422].includes(error.status);

/** Account to which the link belongs. Another organization may have a user of the same name. */
type Account = Reply<typeof passwordLinks.use>;

const toSignIn = (organization?: string) => (
  <Button size="sm" renderRoot={(props) => <Link to="/login" search={{ organization }} {...props} />}>
    {t`Go to sign in`}
  </Button>
);

function LinkExpired() {
  return (
    <>
      <h1 className={styles.title}>{t`This link is no longer valid`}</h1>
      <p className={styles.lead}>
        {t`The link was used, replaced, has expired or is incomplete. Ask your administrator for a new link.`}
      </p>
      {toSignIn()}
    </>
  );
}

function Done({ username, subdomain }: Account) {
  return (
    <div role="status">
      <h1 className={styles.title}>{t`Your password is set`}</h1>
      <p className={styles.lead}>{t`Sign in as ${username} with your new password.`}</p>
      {toSignIn(subdomain)}
    </div>
  );
}

type ChoosingProps = { token: string; link: Reply<typeof passwordLinks.check>; onSet: (account: Account) => void };

function Choosing({ token, link, onSet }: ChoosingProps) {
  const form = useForm({
    initialValues: { password: '', repeated: '' },
    validate: {
      password: (value) => newPassword.safeParse(value).error?.issues[0]?.message ?? null,
      repeated: (value, values) => (value === values.password ? null : t`The passwords do not match`),
    },
  });
  const toFirstFault = (faults: object) => focusFirstInvalid(form.getInputNode, faults);
  const use = useMutation({
    mutationFn: (password: string) => call(passwordLinks.use, { body: { token, password } }, { isAnonymous: true }),
    onSuccess: onSet,
    onError: (error) => {
      form.setErrors(fieldErrorsOf(error));
      toFirstFault(fieldErrorsOf(error));
    },
  });
  const { username, organization } = link;
  if (isGone(use.error) && !isShownAtFields(use.error)) return <LinkExpired />;
  return (
    <>
      <h1 className={styles.title}>{link.purpose === 'INVITE' ? t`Choose your password` : t`Set a new password`}</h1>
      <p className={styles.lead}>{t`For ${username} at ${organization}`}</p>
      <form
        className={styles.fields}
        onSubmit={form.onSubmit(({ password }) => use.mutate(password), toFirstFault)}
        noValidate
      >
        {use.error && !isShownAtFields(use.error) && (
          <Notice tone="danger">{errorMessageOf(use.error, t`Failed to set the password`)}</Notice>
        )}
        <input type="hidden" name="username" autoComplete="username" value={link.username} readOnly />
        <PasswordInput
          size="sm"
          label={t`New password`}
          autoComplete="new-password"
          autoFocus
          {...form.getInputProps('password')}
        />
        <PasswordInput
          size="sm"
          label={t`Repeat new password`}
          autoComplete="new-password"
          {...form.getInputProps('repeated')}
        />
        <PasswordRules typed={form.values.password} />
        <Button type="submit" size="sm" loading={use.isPending} fullWidth>
          {t`Set password`}
        </Button>
      </form>
    </>
  );
}
