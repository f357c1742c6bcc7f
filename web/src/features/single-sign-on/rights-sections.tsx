import { t } from '@lingui/core/macro';
import { Button, MultiSelect, Select, Switch, TextInput } from '@mantine/core';
import {
  fallbackTypes,
  type SingleSignOnSettings,
  type TypeByClaim,
  typesByClaim,
} from '@radwork/contract/single-sign-on';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { SettingsSection } from '#ui/settings-section.tsx';
import styles from './single-sign-on.module.css';
import type { SignOnForm } from './use-sign-on-form.ts';

type Props = { form: SignOnForm };

const typeLabels: Record<TypeByClaim, string> = {
  ADMIN: t`Administrator`,
  RADIOLOGIST: t`Radiologist`,
  REFERRING_PHYSICIAN: t`Referring physician`,
};

const optionsOf = (types: readonly TypeByClaim[]) => types.map((value) => ({ value, label: typeLabels[value] }));

/** Claims with the names of a user, and whether a first sign-in creates an account. */
export function ClaimsSection({ form }: Props) {
  return (
    <SettingsSection
      title={t`People`}
      about={t`Somebody is known by the provider’s own number for them, never by their name or e-mail address. These are read when their account is made.`}
    >
      <div className={styles.pair}>
        <TextInput label={t`Claim with the user name`} {...form.getInputProps('usernameClaim')} />
        <TextInput label={t`Claim with the name`} {...form.getInputProps('nameClaim')} />
        <TextInput label={t`Claim with the e-mail address`} {...form.getInputProps('emailClaim')} />
      </div>
      <Switch
        label={t`Newcomers get an account when they first sign in`}
        description={t`Otherwise they are refused, and listed below for you to connect with a user`}
        {...form.getInputProps('isEnrolling', { type: 'checkbox' })}
      />
    </SettingsSection>
  );
}

/** Maps the provider's groups to user types and roles. */
export function GroupsSection({ form, stored }: Props & { stored: SingleSignOnSettings }) {
  return (
    <SettingsSection
      title={t`Groups`}
      about={t`What people are and may do, renewed at each sign-in. The first group that fits decides. The last administrator always keeps their rights.`}
    >
      <div className={styles.pair}>
        <TextInput
          label={t`Claim with the groups`}
          description={t`Empty: groups decide nothing`}
          placeholder="groups"
          {...form.getInputProps('groupsClaim')}
        />
        <Select
          label={t`Whom no group fits`}
          description={t`What they become`}
          data={[{ value: '', label: t`Is refused` }, ...optionsOf(fallbackTypes)]}
          allowDeselect={false}
          {...form.getInputProps('fallbackType')}
          value={form.values.fallbackType ?? ''}
          onChange={(value) => form.setFieldValue('fallbackType', fallbackTypes.find((type) => type === value) ?? null)}
        />
      </div>
      <Switch
        label={t`Groups may make administrators`}
        description={t`And take that from them. Whoever manages the groups at the provider can then manage this organisation.`}
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
          {rules.map(({ value, userType }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- Position identifies a row: the first match decides.
            <li key={index} className={styles.rule}>
              <TextInput label={t`Group`} {...form.getInputProps(`rules.${index}.value`)} />
              <Select
                label={t`User type`}
                // A type that is no longer allowed stays visible, with its error.
                data={optionsOf(types.includes(userType) ? types : [userType, ...types])}
                allowDeselect={false}
                {...form.getInputProps(`rules.${index}.userType`)}
              />
              <MultiSelect
                label={t`Roles`}
                placeholder={rules[index]?.roleIds.length ? '' : t`That of the type`}
                data={roles}
                {...form.getInputProps(`rules.${index}.roleIds`)}
              />
              <Button
                variant="default"
                aria-label={t`Remove group ${value || index + 1}`}
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

/** Required strength of the sign-in, and whether passwords are allowed. */
export function StrengthSection({ form }: Props) {
  return (
    <SettingsSection
      title={t`Security`}
      about={t`Whoever signs in at the provider is not asked for a code of their authenticator app here: the provider asks for the second factor.`}
    >
      <Switch
        label={t`People who are no administrators may also use a password`}
        description={t`Off: only administrators get in with a password, also from other software. They always can, so that a provider that is away locks nobody out.`}
        {...form.getInputProps('isPasswordAllowed', { type: 'checkbox' })}
      />
      <div className={styles.pair}>
        <TextInput
          label={t`Required methods (amr)`}
          description={t`Any of them is enough, such as otp hwk mfa`}
          {...form.getInputProps('requiredAmr')}
        />
        <TextInput
          label={t`Required class (acr)`}
          description={t`Any of them is enough; asked for and checked`}
          {...form.getInputProps('requiredAcr')}
        />
      </div>
    </SettingsSection>
  );
}
