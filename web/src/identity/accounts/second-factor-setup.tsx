import { t } from '@lingui/core/macro';
import { Button, CopyButton, PasswordInput, TextInput } from '@mantine/core';
import { account } from '@radwork/contract/identity/accounts';
import type { Reply } from '@radwork/contract/core/endpoint';
import { useMutation } from '@tanstack/react-query';
import { QRCodeSVG } from 'qrcode.react';
import { type FormEvent, useState } from 'react';
import { call, errorMessageOf } from '#core/http/api.ts';
import { fieldErrorsOf, isShownAtFields } from '#ui/forms/field-errors.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from './account.module.css';
import { RecoveryCodes } from './recovery-codes.tsx';

type Props = {
  /** Whether to ask for the password. False directly after signing in. */
  isPasswordAsked: boolean;
  /** Called when the second factor is active. The user must still store the recovery codes. */
  onSet?: () => void;
  onDone: () => void;
};

/**
 * Sets up the second factor. Asks for the password, shows the key for the authenticator app, checks a first code, then
 * shows the recovery codes.
 */
export function SecondFactorSetup({ isPasswordAsked, onSet, onDone }: Props) {
  const [key, setKey] = useState<Reply<typeof account.beginSecondFactor>>();
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  if (!key) return <Begin isPasswordAsked={isPasswordAsked} onBegun={setKey} />;
  const confirmed = (recoveryCodes: readonly string[]) => {
    setCodes(recoveryCodes);
    onSet?.();
  };
  return <Confirm factor={key} onConfirmed={confirmed} />;
}

type BeginProps = { isPasswordAsked: boolean; onBegun: (key: Reply<typeof account.beginSecondFactor>) => void };

function Begin({ isPasswordAsked, onBegun }: BeginProps) {
  const [password, setPassword] = useState('');
  const [isChecked, setChecked] = useState(false);
  const begin = useMutation({
    mutationFn: () => call(account.beginSecondFactor, { body: password ? { currentPassword: password } : {} }),
    onSuccess: onBegun,
  });
  // Whether to ask for the password too. The server requires it if the sign-in is too old.
  const needsPassword = isPasswordAsked || fieldErrorsOf(begin.error).currentPassword !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if ((!needsPassword || password !== '') && !begin.isPending) begin.mutate();
  };
  const fault = fieldErrorsOf(begin.error).currentPassword ?? (isChecked && password === '' && t`Enter your password`);
  return (
    <form className={styles.steps} onSubmit={submit} noValidate>
      <p>
        {t`You need an authenticator app on your phone, such as Aegis, FreeOTP, Google or Microsoft Authenticator. At each sign-in, you enter its code after your password.`}
      </p>
      {begin.error && !isShownAtFields(begin.error) && (
        <Notice tone="danger">{errorMessageOf(begin.error, t`Failed to set up the second factor`)}</Notice>
      )}
      {needsPassword && (
        <PasswordInput
          label={t`Your password`}
          withAsterisk
          autoComplete="current-password"
          maxLength={256}
          data-autofocus
          value={password}
          error={fault}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      )}
      <div className={styles.buttons}>
        <Button type="submit" loading={begin.isPending}>
          {t`Continue`}
        </Button>
      </div>
    </form>
  );
}

type ConfirmProps = { factor: { key: string; uri: string }; onConfirmed: (codes: readonly string[]) => void };

function Confirm({ factor, onConfirmed }: ConfirmProps) {
  const [code, setCode] = useState('');
  const [isChecked, setChecked] = useState(false);
  const check = useMutation({
    mutationFn: () => call(account.confirmSecondFactor, { body: { code } }),
    onSuccess: ({ recoveryCodes }) => onConfirmed(recoveryCodes),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (code.trim() !== '' && !check.isPending) check.mutate();
  };
  const fault = fieldErrorsOf(check.error).code ?? (isChecked && code === '' && t`Enter the code from the app`);
  return (
    <form className={styles.steps} onSubmit={submit} noValidate>
      <div className={styles.scan}>
        <div className={styles.qr}>
          <QRCodeSVG value={factor.uri} size={168} level="M" title={t`QR code for the authenticator app`} />
        </div>
        <div>
          <p>{t`Scan the QR code with the app, or enter the key:`}</p>
          <code className={styles.key}>{factor.key.match(/.{1,4}/g)?.join(' ')}</code>
          <CopyButton value={factor.key}>
            {({ copied, copy }) => (
              <Button variant="default" size="compact-sm" onClick={copy}>
                {copied ? t`Copied` : t`Copy key`}
              </Button>
            )}
          </CopyButton>
        </div>
      </div>
      {check.error && !isShownAtFields(check.error) && (
        <Notice tone="danger">{errorMessageOf(check.error, t`Failed to set up the second factor`)}</Notice>
      )}
      <TextInput
        label={t`Code from the app`}
        withAsterisk
        className={styles.digits}
        autoComplete="one-time-code"
        inputMode="numeric"
        autoFocus
        maxLength={12}
        value={code}
        error={fault}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <div className={styles.buttons}>
        <Button type="submit" loading={check.isPending}>
          {t`Turn on`}
        </Button>
      </div>
    </form>
  );
}
