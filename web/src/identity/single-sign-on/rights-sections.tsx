import { t } from '@lingui/core/macro';
import { Button, MultiSelect, Select, Switch, TextInput } from '@mantine/core';
import {
  fallbackTypes,
  type SingleSignOnSettings,
  type TypeByClaim,
  typesByClaim,
} from '@radwork/contract/identity/single-sign-on';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { SettingsSection } from '#ui/forms/settings-section.tsx';
import styles from './single-sign-on.module.css';
import type { SignOnForm } from './use-sign-on-form.ts';

type Props = { form: SignOnForm };

const typeLabels: Record<TypeByClaim, string> = {
  ADMIN: t`Administrator`,
  RADIOLOGIST: t`Radiologist`,
  REFERRING_PHYSICIAN: t`Referring physician`,
};

const optionsOf = (types: readonly TypeByClaim[]) => types.map((value) => ({ value, label: typeLabels[value] }));

/** Settings for the claims that contain a user's names, and whether a first sign-in creates an account. */
export function ClaimsSection({ form }: Props) {
  return (
    <SettingsSection
      title={t`Users`}
      about={t`The provider’s subject ID identifies a user, never the name or e-mail address. The claims below are read when the account is created.`}
    >
      <div className={styles.pair}>
        <TextInput label={t`Username claim`} {...form.getInputProps('usernameClaim')} />
        <TextInput label={t`Name claim`} {...form.getInputProps('nameClaim')} />
        <TextInput label={t`E-mail claim`} {...form.getInputProps('emailClaim')} />
      </div>
      <Switch
        label={t`Create an account at the first sign-in`}
        description={t`If this is off, the sign-in is rejected and listed below. You can then connect it with a user.`}
        {...form.getInputProps('isEnrolling', { type: 'checkbox' })}
      />
    </SettingsSection>
  );
}

/** Settings that map the provider's groups to user types and roles. */
export function GroupsSection({ form, stored }: Props & { stored: SingleSignOnSettings }) {
  return (
    <SettingsSection
      title={t`Groups`}
      about={t`User type and roles, updated at each sign-in. The first matching group applies. The last administrator always keeps the permissions.`}
    >
      <div className={styles.pair}>
        <TextInput
          label={t`Groups claim`}
          description={t`Leave empty to ignore groups`}
          placeholder="groups"
          {...form.getInputProps('groupsClaim')}
        />
        <Select
          label={t`Users without a matching group`}
          description={t`User type`}
          data={[{ value: '', label: t`Rejected` }, ...optionsOf(fallbackTypes)]}
          allowDeselect={false}
          {...form.getInputProps('fallbackType')}
          value={form.values.fallbackType ?? ''}
          onChange={(value) => form.setFieldValue('fallbackType', fallbackTypes.find((type) => type === value) ?? null)}
        />
      </div>
      <Switch
        label={t`Groups control administrators`}
        description={t`If this is on, the groups also grant and revoke administrator rights. Users who manage the groups at the provider then decide who administers this organization.`}
        {...form.getInputProps('isAdminByClaim', { type: 'checkbox' })}
      />
      <Rules form={form} stored={stored} />
    </SettingsSection>
  );
}

function Rules({ form, stored }: Props & { stored: SingleSignOnSettings }) {
  const { rules, isAdminByClaim } = form.values;
  const types = typesByClaim.filter((type) => type !== 'ADMIN' || isAdminByClaim);
  const roles = stored.roles.map(({ id, name, objection }) => ({
    value: id,
    label: name,
    disabled: objection !== null,
  }));
  return (
    <>
      {rules.length > 0 && (
        <ul className={styles.rules} aria-label={t`Groups`}>
          {rules
            .map(({ value, userType }, index) => [value || String(index + 1), userType] as const)
            .map(([name, userType], index) => (
              // oxlint-disable-next-line react/no-array-index-key -- Position identifies a row: the first match decides.
              <li key={index} className={styles.rule}>
                <TextInput label={t`Group`} {...form.getInputProps(`rules.${index}.value`)} />
                <Select
                  label={t`User type`}
                  // If the user type is no longer allowed, it stays in the list. Otherwise its error would be hard to
                  // understand.
                  data={optionsOf(types.includes(userType) ? types : [userType, ...types])}
                  allowDeselect={false}
                  {...form.getInputProps(`rules.${index}.userType`)}
                />
                <MultiSelect
                  label={t`Roles`}
                  placeholder={rules[index]?.roleIds.length ? '' : t`Default role of the user type`}
                  data={roles}
                  {...form.getInputProps(`rules.${index}.roleIds`)}
                />
                <Button
                  variant="default"
                  aria-label={t`Remove group ${name}`}
                  onClick={() => form.removeListItem('rules', index)}
                >
                  <IconTrash size={16} aria-hidden />
                </Button>
              </li>
            ))}
        </ul>
      )}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => form.insertListItem('rules', { value: '', userType: 'RADIOLOGIST', roleIds: [] })}
        >
          {t`Add group`}
        </Button>
      </div>
    </>
  );
}

/** Settings for the required strength of the sign-in, and whether passwords are allowed. */
export function StrengthSection({ form }: Props) {
  return (
    <SettingsSection
      title={t`Security`}
      about={t`Single sign-on requires no authenticator code here. The provider must require the second factor.`}
    >
      <Switch
        label={t`Allow passwords for users who are not administrators`}
        description={t`If this is off, only administrators can use a password, here and in other software. Administrators can always use a password, in case the provider is unavailable.`}
        {...form.getInputProps('isPasswordAllowed', { type: 'checkbox' })}
      />
      <div className={styles.pair}>
        <TextInput
          label={t`Required methods (amr)`}
          description={t`At least one must match, such as otp hwk mfa`}
          {...form.getInputProps('requiredAmr')}
        />
        <TextInput
          label={t`Required class (acr)`}
          description={t`At least one must match. The provider is asked for it.`}
          {...form.getInputProps('requiredAcr')}
        />
      </div>
    </SettingsSection>
  );
}
