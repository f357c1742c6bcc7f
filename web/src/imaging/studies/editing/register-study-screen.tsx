import { t } from '@lingui/core/macro';
import { Button, Select, TextInput } from '@mantine/core';
import { isAcquisition, modalities } from '@radwork/contract/core/modalities';
import { Link, useNavigate } from '@tanstack/react-router';
import { errorMessageOf } from '#core/http/api.ts';
import { focusFirstInvalid, isShownAtFields } from '#ui/forms/field-errors.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { TimeInput } from '#ui/forms/time-input.tsx';
import { StudyPatientChoice } from './study-patient-choice.tsx';
import { StudyFields } from './study-fields.tsx';
import styles from './study-form.module.css';
import type { StudyField } from './study-form-values.ts';
import { type RegistrationForm, useRegistration } from './use-registration.ts';

/**
 * Screen /studies/create without images: registers a study for the given patient, another existing patient, or a new
 * patient.
 */
export function RegisterStudyScreen({ patientId }: { patientId: string | undefined }) {
  const navigate = useNavigate();
  const { form, register, error, isSaving, isRestored } = useRegistration(patientId, ({ id }) =>
    navigate({ to: '/studies/$id', params: { id }, ignoreBlocker: true }),
  );
  return (
    <div className={styles.screen}>
      <ScreenTitle
        title={t`Register study`}
        actions={
          <Button variant="default" renderRoot={(props) => <Link to="/studies/create" {...props} />}>
            {t`Upload images instead`}
          </Button>
        }
      />
      <form
        className={`${styles.sheet} ${styles.form}`}
        noValidate
        onSubmit={form.onSubmit(register, (faults) => focusFirstInvalid(form.getInputNode, faults))}
      >
        {isRestored && !error && <Notice tone="info">{t`Your unsaved entries were restored.`}</Notice>}
        <StudyPatientChoice form={form} />
        <StudyFields inputOf={(field) => ({ ...form.getInputProps(field), ...whenEmpty[field] })}>
          <ExaminationFields form={form} />
        </StudyFields>
        <TextInput
          label={t`Study UID`}
          placeholder={t`Generated`}
          description={t`Images that arrive later with this UID are added to the study`}
          autoComplete="off"
          {...form.getInputProps('studyInstanceUID')}
        />
        {error && !isShownAtFields(error) && (
          <Notice tone="danger">{errorMessageOf(error, t`Error registering study`)}</Notice>
        )}
        <div className={styles.buttons}>
          <Button variant="default" renderRoot={(props) => <Link to="/studies" {...props} />}>
            {t`Cancel`}
          </Button>
          <Button type="submit" loading={isSaving}>
            {t`Register study`}
          </Button>
        </div>
      </form>
    </div>
  );
}

/** Placeholders with the values that the server uses for empty fields. */
const whenEmpty: Partial<Record<StudyField, { placeholder: string }>> = {
  accessionNumber: { placeholder: t`Generated` },
};

/** Leaves out XR. In filters, XR stands for any plain film, but a new study needs a specific modality. */
const offered = modalities.filter((modality) => isAcquisition(modality) && modality !== 'XR');

function ExaminationFields({ form }: { form: RegistrationForm }) {
  const date = form.getInputProps('studyDate');
  return (
    <>
      <Select label={t`Modality`} withAsterisk searchable data={[...offered]} {...form.getInputProps('modality')} />
      <TimeInput label={t`Study date`} placeholder={t`Now`} {...date} value={date.value} onChange={date.onChange} />
    </>
  );
}
