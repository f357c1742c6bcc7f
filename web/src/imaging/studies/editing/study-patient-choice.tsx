import { t } from '@lingui/core/macro';
import { SegmentedControl, Select, TextInput } from '@mantine/core';
import { genderLabels, patients } from '@radwork/contract/imaging/patients';
import { may } from '#core/state/session.ts';
import { PatientPicker } from './patient-picker.tsx';
import styles from './study-form.module.css';
import type { RegistrationForm } from './use-registration.ts';

const genders = (['M', 'F', 'O'] as const).map((value) => ({ value, label: genderLabels[value] }));

/** Chooses the patient of the new study: an existing patient or a new patient. */
export function StudyPatientChoice({ form }: { form: RegistrationForm }) {
  const { whose } = form.values;
  return (
    <fieldset className={styles.group}>
      <legend>{t`Patient`}</legend>
      {may(patients.list) && may(patients.create) && (
        <SegmentedControl
          className={styles.wide ?? ''}
          aria-label={t`Patient`}
          data={[
            { value: 'record', label: t`Existing patient` },
            { value: 'new', label: t`New patient` },
          ]}
          {...form.getInputProps('whose')}
        />
      )}
      {whose === 'record' ? (
        <div className={styles.wide}>
          <PatientPicker {...form.getInputProps('existingPatientId')} value={form.values.existingPatientId} />
        </div>
      ) : (
        <NewPatientFields form={form} />
      )}
    </fieldset>
  );
}

function NewPatientFields({ form }: { form: RegistrationForm }) {
  return (
    <>
      <TextInput
        label={t`Name`}
        placeholder={t`Family, Given`}
        withAsterisk
        autoComplete="off"
        {...form.getInputProps('newPatient.patientName')}
      />
      <TextInput
        label={t`Patient ID`}
        withAsterisk
        autoComplete="off"
        {...form.getInputProps('newPatient.patientId')}
      />
      <Select label={t`Gender`} withAsterisk data={genders} {...form.getInputProps('newPatient.gender')} />
      <TextInput
        label={t`Date of birth`}
        placeholder="yyyy-MM-dd"
        withAsterisk
        autoComplete="off"
        {...form.getInputProps('newPatient.dateOfBirth')}
      />
    </>
  );
}
