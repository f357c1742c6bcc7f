import { schemaResolver, useForm } from '@mantine/form';
import {
  singleSignOnForm,
  type SingleSignOnForm,
  type SingleSignOnSettings,
} from '@radwork/contract/identity/single-sign-on';
import { focusFirstInvalid } from '#ui/forms/field-errors.ts';

const formOf = (stored: SingleSignOnSettings): SingleSignOnForm => {
  const { hasClientSecret: _, redirectAddress: __, roles: ___, ...settings } = stored;
  return { ...settings, clientSecret: '' };
};

export type SignOnForm = ReturnType<typeof useSignOnForm>;

/** Form of all single sign-on settings. Errors appear at the fields. */
export const useSignOnForm = (stored: SingleSignOnSettings) => {
  const form = useForm<SingleSignOnForm>({
    initialValues: formOf(stored),
    validate: schemaResolver(singleSignOnForm, { sync: true }),
  });
  return {
    ...form,
    toFirstFault: (faults: object) => focusFirstInvalid(form.getInputNode, faults),
    /** Resets the form to the saved settings. */
    goOnFrom: (saved: SingleSignOnSettings) => {
      const values = formOf(saved);
      form.setInitialValues(values);
      form.setValues(values);
      form.resetDirty(values);
    },
  };
};
