import { t } from '@lingui/core/macro';
import { Select, Textarea, TextInput } from '@mantine/core';
import { priorities } from '@radwork/contract/core/priorities';
import type { GetInputPropsReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { TimeInput } from '#ui/forms/time-input.tsx';
import styles from './study-form.module.css';
import { type StudyField, studyFields } from './study-form-values.ts';

/** Returns the input props that connect a field to its form. */
export type InputOf = (field: StudyField) => GetInputPropsReturnType;

/** Fields shared by the forms that register and edit a study. `children` come first. */
export function StudyFields({ inputOf, children }: { inputOf: InputOf; children?: ReactNode }) {
  const text = (field: StudyField) => <TextInput label={studyFields[field]} autoComplete="off" {...inputOf(field)} />;
  const scheduled = inputOf('scheduledDateTime');
  return (
    <>
      <fieldset className={styles.group}>
        <legend>{t`Study`}</legend>
        {children}
        <TextInput
          className={styles.wide ?? ''}
          label={studyFields.description}
          autoComplete="off"
          data-autofocus
          {...inputOf('description')}
        />
        {text('accessionNumber')}
        <Select label={studyFields.priority} allowDeselect={false} data={[...priorities]} {...inputOf('priority')} />
        <Textarea
          className={styles.wide ?? ''}
          label={studyFields.clinicalHistory}
          rows={4}
          resize="vertical"
          {...inputOf('clinicalHistory')}
        />
      </fieldset>
      <fieldset className={styles.group}>
        <legend>{t`Referral`}</legend>
        {text('referringPhysicianName')}
        {text('referringPhysicianPhone')}
      </fieldset>
      <fieldset className={styles.group}>
        <legend>{t`Order`}</legend>
        {text('orderNumber')}
        {text('orderingPhysicianName')}
        {text('procedureCode')}
        {text('procedureDescription')}
        <TimeInput
          label={studyFields.scheduledDateTime}
          {...scheduled}
          value={scheduled.value}
          onChange={scheduled.onChange}
        />
      </fieldset>
    </>
  );
}
