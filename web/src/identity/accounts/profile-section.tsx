import { t } from '@lingui/core/macro';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type Account, account, accountForm } from '@radwork/contract/identity/accounts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, query, useAction, errorMessageOf } from '#core/http/api.ts';
import { renewSession } from '#core/http/confirm-session.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { fieldErrorsOf, focusFirstInvalid, isShownAtFields } from '#ui/forms/field-errors.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { useLeaveWarning } from '#ui/dialogs/use-leave-warning.ts';
import { SettingsSection } from '#ui/forms/settings-section.tsx';
import styles from './account.module.css';

const valuesOf = ({ name, email, specialization, department, credentials, revision }: Account) => ({
  name,
  email,
  specialization,
  department,
  credentials,
  revision,
  currentPassword: '',
});

const isLeft = {
  question: t`Leave without saving?`,
  consequence: t`Your changes to the account will be lost.`,
  verb: t`Leave without saving`,
};

const isReplaced = {
  question: t`Reload your account?`,
  consequence: t`Unsaved changes on this page will be lost.`,
  verb: t`Reload`,
};

/** Fields of the profile. The user may change some fields; only an administrator may change the others. */
export function ProfileSection({ account: stored }: { account: Account }) {
  // Data when the form opened. Newer server data must not replace what the user types.
  const [known, setKnown] = useState(stored);
  const form = useForm({
    initialValues: valuesOf(known),
    validate: schemaResolver(accountForm, { sync: true }),
  });
  const client = useQueryClient();
  const save = useAction(account.save, { done: t`Your account was saved`, failed: t`Failed to save your account` });
  const isDirty = form.isDirty();
  useLeaveWarning(isDirty, isLeft);
  const isNewAddress = form.getValues().email.trim().toLowerCase() !== known.email.toLowerCase();

  const resetTo = (next: Account) => {
    setKnown(next);
    form.setInitialValues(valuesOf(next));
    form.setValues(valuesOf(next));
    form.resetDirty(valuesOf(next));
    save.reset();
  };
  const toFirstFault = (faults: object) => focusFirstInvalid(form.getInputNode, faults);
  const submit = form.onSubmit(({ currentPassword, ...values }) => {
    if (isNewAddress && known.hasPassword && currentPassword === '') {
      form.setErrors({ currentPassword: t`Enter your password to change your e-mail address` });
      return toFirstFault({ currentPassword: '' });
    }
    save.mutate(
      { body: { ...values, ...(currentPassword && { currentPassword }) } },
      {
        onSuccess: (saved) => {
          client.setQueryData(query(account.read, {}).queryKey, saved);
          resetTo(saved);
          void renewSession();
        },
        onError: (error) => {
          form.setErrors(fieldErrorsOf(error));
          toFirstFault(fieldErrorsOf(error));
        },
      },
    );
  }, toFirstFault);
  const loadAgain = async () => {
    if (isDirty && !(await confirm(isReplaced))) return;
    resetTo(await client.fetchQuery({ ...query(account.read, {}), staleTime: 0 }));
  };
  const isOutdated = save.error instanceof ApiError && save.error.status === 409;

  return (
    <SettingsSection title={t`Profile`} about={t`Your name appears on the reports that you write from now on.`}>
      <dl className={styles.facts}>
        <dt>{t`Username`}</dt>
        <dd>{known.username}</dd>
        <dt>{t`Organization`}</dt>
        <dd>{known.organization}</dd>
        <dt>{t`Roles`}</dt>
        <dd>{known.roles.join(', ') || t`None`}</dd>
      </dl>
      <form className={styles.fields} onSubmit={submit} noValidate>
        {save.error && !isShownAtFields(save.error) && (
          <Notice
            tone="danger"
            action={
              isOutdated && (
                <Button variant="default" size="compact-sm" onClick={() => void loadAgain()}>
                  {t`Reload`}
                </Button>
              )
            }
          >
            {errorMessageOf(save.error, t`Failed to save your account`)}
          </Notice>
        )}
        <TextInput label={t`Name`} withAsterisk autoComplete="name" maxLength={120} {...form.getInputProps('name')} />
        <TextInput
          label={t`Credentials`}
          description={t`Shown after your name, such as MD, FACR.`}
          autoComplete="honorific-suffix"
          maxLength={60}
          {...form.getInputProps('credentials')}
        />
        <TextInput
          label={t`E-mail address`}
          description={t`Receives password links and account messages.`}
          withAsterisk
          type="email"
          autoComplete="email"
          maxLength={254}
          {...form.getInputProps('email')}
        />
        {isNewAddress && known.hasPassword && (
          <PasswordInput
            label={t`Your password`}
            description={t`Required to change the address.`}
            withAsterisk
            autoComplete="current-password"
            maxLength={256}
            {...form.getInputProps('currentPassword')}
          />
        )}
        <div className={styles.pair}>
          <TextInput label={t`Specialization`} maxLength={120} {...form.getInputProps('specialization')} />
          <TextInput label={t`Department`} maxLength={120} {...form.getInputProps('department')} />
        </div>
        <div className={styles.buttons}>
          <Button type="submit" loading={save.isPending} disabled={!isDirty}>
            {t`Save profile`}
          </Button>
        </div>
      </form>
    </SettingsSection>
  );
}
