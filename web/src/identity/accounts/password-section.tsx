import { t } from '@lingui/core/macro';
import { Button, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type Account, account, newPassword } from '@radwork/contract/identity/accounts';
import { useAction, errorMessageOf } from '#core/http/api.ts';
import { fieldErrorsOf, focusFirstInvalid, isShownAtFields } from '#ui/forms/field-errors.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { SettingsSection } from '#ui/forms/settings-section.tsx';
import styles from './account.module.css';
import { PasswordRules } from './password-rules.tsx';

const blank = { currentPassword: '', newPassword: '', repeated: '' };

const about = t`A new password ends your other sessions. An e-mail confirms the change if this installation sends e-mail.`;

/** Changes the user's own password. */
export function PasswordSection({ account: own }: { account: Account }) {
  return (
    <SettingsSection title={t`Password`} about={about}>
      {own.hasPassword ? (
        <PasswordForm own={own} />
      ) : (
        <p className={styles.hint}>{t`You use single sign-on and have no password here.`}</p>
      )}
    </SettingsSection>
  );
}

function PasswordForm({ own }: { own: Account }) {
  const form = useForm({
    initialValues: blank,
    validate: {
      currentPassword: (value) => (value === '' ? t`Enter your current password` : null),
      newPassword: (value) => newPassword.safeParse(value).error?.issues[0]?.message ?? null,
      repeated: (value, values) => (value === values.newPassword ? null : t`The passwords do not match`),
    },
  });
  const change = useAction(account.changePassword, {
    done: t`Your password was changed`,
    failed: t`Failed to change your password`,
    refreshes: ['account'],
  });
  const toFirstFault = (faults: object) => focusFirstInvalid(form.getInputNode, faults);
  const submit = form.onSubmit(({ currentPassword, newPassword: password }) => {
    change.mutate(
      { params: { id: own.id }, body: { currentPassword, newPassword: password } },
      {
        onSuccess: () => form.reset(),
        onError: (error) => {
          form.setErrors(fieldErrorsOf(error));
          toFirstFault(fieldErrorsOf(error));
        },
      },
    );
  }, toFirstFault);
  return (
    <form className={styles.fields} onSubmit={submit} noValidate>
      {change.error && !isShownAtFields(change.error) && (
        <Notice tone="danger">{errorMessageOf(change.error, t`Failed to change your password`)}</Notice>
      )}
      {/* A hidden field that tells password managers to which account the password belongs. */}
      <input type="hidden" name="username" autoComplete="username" value={own.username} readOnly />
      <PasswordInput
        label={t`Current password`}
        withAsterisk
        autoComplete="current-password"
        maxLength={256}
        {...form.getInputProps('currentPassword')}
      />
      <PasswordInput
        label={t`New password`}
        withAsterisk
        autoComplete="new-password"
        {...form.getInputProps('newPassword')}
      />
      <PasswordInput
        label={t`Repeat new password`}
        withAsterisk
        autoComplete="new-password"
        {...form.getInputProps('repeated')}
      />
      <PasswordRules typed={form.values.newPassword} />
      <div className={styles.buttons}>
        <Button type="submit" loading={change.isPending} disabled={!form.isDirty()}>
          {t`Change password`}
        </Button>
      </div>
    </form>
  );
}
