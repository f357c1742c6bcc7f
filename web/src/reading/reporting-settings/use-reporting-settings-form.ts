import { schemaResolver, useForm } from '@mantine/form';
import {
  type ReportingSettings,
  reportingSettingsForm,
  type ReportingSettingsForm,
} from '@radwork/contract/reading/reporting-settings';
import { focusFirstInvalid } from '#ui/forms/field-errors.ts';

const formOf = (stored: ReportingSettings): ReportingSettingsForm => {
  const { hasAiKey: _, hasDictationKey: __, aiAgreedBy: ___, aiAgreedAt, ...settings } = stored;
  return { ...settings, aiKey: '', dictationKey: '', isAiAgreed: aiAgreedAt !== null };
};

export type SettingsForm = ReturnType<typeof useReportingSettingsForm>;

/** Form of all reporting settings, with errors at their fields. */
export const useReportingSettingsForm = (stored: ReportingSettings) => {
  const form = useForm<ReportingSettingsForm>({
    initialValues: formOf(stored),
    validate: schemaResolver(reportingSettingsForm, { sync: true }),
  });
  return {
    ...form,
    toFirstFault: (faults: object) => focusFirstInvalid(form.getInputNode, faults),
    /** Resets the form to the saved settings. */
    goOnFrom: (saved: ReportingSettings) => {
      const values = formOf(saved);
      form.setInitialValues(values);
      form.setValues(values);
      form.resetDirty(values);
    },
  };
};
