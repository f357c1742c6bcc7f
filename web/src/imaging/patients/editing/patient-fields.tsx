import { t } from '@lingui/core/macro';
import { Select, Textarea, TextInput } from '@mantine/core';
import { genderLabels, genders } from '@radwork/contract/imaging/patients';
import styles from './patient-form.module.css';
import { fieldLabels, type PatientForm } from './use-patient-form.ts';

type Props = {
  form: PatientForm;
  /** Whether to offer "Unknown" as gender. Only for a patient whose files contain no gender. */
  isGenderUnknown: boolean;
};

/** Form fields of a patient: first the identity, then the contact data. */
export function PatientFields({ form, isGenderUnknown }: Props) {
  const codes = genders.filter((code) => code !== 'U' || isGenderUnknown);
  return (
    <>
      <fieldset className={styles.group}>
        <legend>{t`Identity`}</legend>
        <TextInput
          className={styles.wide}
          label={fieldLabels.patientName}
          description={t`Family name, given names`}
          placeholder={t`Doe, Jane`}
          withAsterisk
          autoFocus
          autoComplete="off"
          {...form.getInputProps('patientName')}
        />
        <TextInput label={fieldLabels.patientId} withAsterisk autoComplete="off" {...form.getInputProps('patientId')} />
        <TextInput
          label={fieldLabels.issuer}
          placeholder={t`Only if several hospitals issue IDs`}
          autoComplete="off"
          {...form.getInputProps('issuer')}
        />
        <Select
          label={fieldLabels.gender}
          withAsterisk
          allowDeselect={false}
          placeholder={t`Choose`}
          data={codes.map((value) => ({ value, label: genderLabels[value] }))}
          {...form.getInputProps('gender')}
          value={form.values.gender || null}
        />
        <TextInput
          label={fieldLabels.dateOfBirth}
          placeholder="1961-04-30"
          withAsterisk
          inputMode="numeric"
          autoComplete="off"
          {...form.getInputProps('dateOfBirth')}
        />
      </fieldset>
      <fieldset className={styles.group}>
        <legend>{t`Contact`}</legend>
        <TextInput
          label={fieldLabels.phoneNumber}
          type="tel"
          autoComplete="off"
          {...form.getInputProps('phoneNumber')}
        />
        <TextInput label={fieldLabels.email} type="email" autoComplete="off" {...form.getInputProps('email')} />
        <Textarea
          className={styles.wide}
          label={fieldLabels.address}
          rows={2}
          autoComplete="off"
          {...form.getInputProps('address')}
        />
      </fieldset>
    </>
  );
}
