import { t } from '@lingui/core/macro';
import { Button, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { correctionForm } from '@radwork/contract/reading/dictation';
import type { ReactNode } from 'react';
import { fieldErrorsOf } from '#ui/forms/field-errors.ts';
import styles from './corrections.module.css';

type Values = { written: string; said: string };

type Props = {
  start?: Values;
  verb: string;
  isPending: boolean;
  /** Sends the form. Rejects with the error of the server. */
  onSubmit: (values: Values) => Promise<unknown>;
  /** Further buttons. */
  children?: ReactNode;
};

/** Fields of one correction: the words that the recognizer wrote, and the words that the reader said. */
export function CorrectionFields({ start = { written: '', said: '' }, verb, isPending, onSubmit, children }: Props) {
  const form = useForm({ initialValues: start, validate: schemaResolver(correctionForm, { sync: true }) });
  const submit = form.onSubmit((values) => {
    onSubmit(values).then(
      () => form.reset(),
      (error: unknown) => form.setErrors(fieldErrorsOf(error)),
    );
  });
  return (
    <form className={styles.fields} noValidate onSubmit={submit}>
      <TextInput size="xs" label={t`It wrote`} maxLength={120} {...form.getInputProps('written')} />
      <TextInput size="xs" label={t`I said`} maxLength={120} {...form.getInputProps('said')} />
      <Button type="submit" size="xs" variant="default" loading={isPending}>
        {verb}
      </Button>
      {children}
    </form>
  );
}
