import { plural, t } from '@lingui/core/macro';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type Account, account } from '@radwork/contract/identity/accounts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '#core/http/api.ts';
import { renewSession } from '#core/http/confirm-session.ts';
import { toast } from '#core/browser/toasts.ts';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { fieldErrorsOf } from '#ui/forms/field-errors.ts';
import { formatMoment } from '#ui/formats/formats.ts';
import { StatusPill } from '#ui/marks/status-pill.tsx';
import { SettingsSection } from '#ui/forms/settings-section.tsx';
import styles from './account.module.css';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SecondFactorSetup } from './second-factor-setup.tsx';

type OpenDialog = 'set-up' | 'turn-off' | 'codes';

const titles: Record<OpenDialog, string> = {
  'set-up': t`Set up a second factor`,
  'turn-off': t`Turn off the second factor`,
  codes: t`Create recovery codes`,
};

const about = t`A code from an app on your phone, required after your password.`;

/** State of the second factor, its recovery codes, and the actions on both. */
export function SecondFactorSection({ account: own }: { account: Account }) {
  const [opened, setOpened] = useState<OpenDialog>();
  const [title, setTitle] = useState(titles['set-up']);
  const client = useQueryClient();
  const { isSet, since, recoveryCodesLeft, isRequired } = own.secondFactor;
  const moment = formatMoment(since);
  const open = (what: OpenDialog) => {
    setOpened(what);
    setTitle(titles[what]);
  };
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: ['account'] });
    await renewSession();
  };
  const close = () => {
    setOpened(undefined);
    void refresh();
  };
  return (
    <SettingsSection title={t`Second factor`} about={about}>
      <div className={styles.state}>
        {isSet ? (
          <StatusPill tone="success" label={t`On since ${moment}`} />
        ) : (
          <StatusPill tone="warning" label={t`Off`} />
        )}
        {isSet && <span className={styles.hint}>{codesWords(recoveryCodesLeft)}</span>}
      </div>
      {isRequired && <p className={styles.hint}>{t`Your organization requires a second factor.`}</p>}
      <div className={styles.buttons}>
        {!isSet && <Button onClick={() => open('set-up')}>{t`Set up`}</Button>}
        {isSet && (
          <>
            <Button variant="default" onClick={() => open('codes')}>
              {t`Create recovery codes`}
            </Button>
            <Button variant="default" onClick={() => open('turn-off')}>
              {isRequired ? t`Replace` : t`Turn off`}
            </Button>
          </>
        )}
      </div>
      <Dialog opened={opened !== undefined} onClose={close} title={title} size={520} closeOnClickOutside={false}>
        {opened === 'set-up' && <SecondFactorSetup isPasswordAsked={own.hasPassword} onDone={close} />}
        {opened === 'turn-off' && <TurnOff own={own} onClose={close} />}
        {opened === 'codes' && <RenewCodes own={own} onClose={close} />}
      </Dialog>
    </SettingsSection>
  );
}

const codesWords = (left: number): string =>
  left === 0
    ? t`No recovery codes left. Create new codes.`
    : t`${plural(left, { one: '# recovery code left', other: '# recovery codes left' })}`;

type Fields = { currentPassword: string; code: string };
type DialogProps = { own: Account; onClose: () => void };

/** Fields for the user's password and code, with the server's errors. */
function PasswordAndCode({
  hasPassword,
  error,
  isChecked,
  fields,
  onChange,
}: {
  hasPassword: boolean;
  error: Error | null;
  isChecked: boolean;
  fields: Fields;
  onChange: (fields: Fields) => void;
}) {
  const faults = fieldErrorsOf(error);
  return (
    <>
      {hasPassword && (
        <PasswordInput
          label={t`Your password`}
          withAsterisk
          autoComplete="current-password"
          maxLength={256}
          data-autofocus
          value={fields.currentPassword}
          error={faults.currentPassword ?? (isChecked && fields.currentPassword === '' && t`Enter your password`)}
          onChange={(event) => onChange({ ...fields, currentPassword: event.currentTarget.value })}
        />
      )}
      <TextInput
        label={t`App code or recovery code`}
        withAsterisk
        autoComplete="one-time-code"
        maxLength={64}
        value={fields.code}
        error={faults.code ?? (isChecked && fields.code === '' && t`Enter the code`)}
        onChange={(event) => onChange({ ...fields, code: event.currentTarget.value })}
      />
    </>
  );
}

/** State of a dialog that asks for password and code. Sends only when both are filled. */
const useBoth = (hasPassword: boolean) => {
  const [fields, setFields] = useState<Fields>({ currentPassword: '', code: '' });
  const [isChecked, setChecked] = useState(false);
  const body = { code: fields.code, ...(hasPassword && { currentPassword: fields.currentPassword }) };
  const submitting = (send: () => void) => (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (fields.code.trim() !== '' && (!hasPassword || fields.currentPassword !== '')) send();
  };
  return { fields, setFields, isChecked, body, submitting };
};

function TurnOff({ own, onClose }: DialogProps) {
  const { fields, setFields, isChecked, body, submitting } = useBoth(own.hasPassword);
  const remove = useMutation({
    mutationFn: () => call(account.removeSecondFactor, { body }),
    onSuccess: () => {
      toast.success(t`Second factor turned off`);
      onClose();
    },
  });
  return (
    <DialogForm verb={t`Turn off`} action={remove} onSubmit={submitting(() => remove.mutate())} onCancel={onClose}>
      <p className={styles.hint}>
        {own.secondFactor.isRequired
          ? t`The key in your app and your recovery codes become invalid. Your organization requires a second factor, so you must set up another one now.`
          : t`The key in your app and your recovery codes become invalid. Your password alone then opens your account.`}
      </p>
      <PasswordAndCode
        hasPassword={own.hasPassword}
        error={remove.error}
        isChecked={isChecked}
        fields={fields}
        onChange={setFields}
      />
    </DialogForm>
  );
}

function RenewCodes({ own, onClose }: DialogProps) {
  const { fields, setFields, isChecked, body, submitting } = useBoth(own.hasPassword);
  const renew = useMutation({ mutationFn: () => call(account.renewRecoveryCodes, { body }) });
  if (renew.data) return <RecoveryCodes codes={renew.data.recoveryCodes} onDone={onClose} />;
  return (
    <DialogForm
      verb={t`Create recovery codes`}
      action={renew}
      onSubmit={submitting(() => renew.mutate())}
      onCancel={onClose}
    >
      <p className={styles.hint}>{t`Your earlier recovery codes become invalid.`}</p>
      <PasswordAndCode
        hasPassword={own.hasPassword}
        error={renew.error}
        isChecked={isChecked}
        fields={fields}
        onChange={setFields}
      />
    </DialogForm>
  );
}
