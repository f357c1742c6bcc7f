import { schemaResolver, useForm } from '@mantine/form';
import {
  singleSignOnForm,
  type SingleSignOnForm,
  type SingleSignOnSettings,
} from '@radwork/contract/identity/single-sign-on';
import { focusFirstInvalid } from '#ui/forms/field-errors.ts';

const given = (stored: SingleSignOnSettings): SingleSignOnForm => {
  const { hasClientSecret: _, redirectAddress: __, roles: ___, ...kept } = stored;
  return { ...kept, clientSecret: '' };
};

export type SignOnForm = ReturnType<typeof useSignOnForm>;

/** Form of all single sign-on settings. Errors appear at the fields. */
export const useSignOnForm = (stored: SingleSignOnSettings) => {
  const form = useForm<SingleSignOnForm>({
    initialValues: given(stored),
    validate: schemaResolver(singleSignOnForm, { sync: true }),
  });
  return {
    ...form,
    toFirstFault: (faults: object) => focusFirstInvalid(form.getInputNode, faults),
    /** Resets the form to the saved settings. */
    goOnFrom: (saved: SingleSignOnSettings) => {
      const values = given(saved);
      form.setInitialValues(values);
      form.setValues(values);
      form.resetDirty(values);
    },
  };
};
