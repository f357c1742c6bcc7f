import { t } from '@lingui/core/macro';
import { Button, Checkbox, Textarea, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type Macro, macroForm, macros } from '@radwork/contract/reading/macros';
import { useRef } from 'react';
import { useAction, errorMessageOf } from '#core/http/api.ts';
import { CancelButton } from '#ui/dialogs/dialog-form.tsx';
import { fieldErrorsOf, focusFirstInvalid, isShownAtFields } from '#ui/forms/field-errors.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { FieldMenu } from '#reading/templates/field-menu.tsx';
import { MergeFieldMenu } from '#reading/templates/merge-field-menu.tsx';
import styles from './macros-panel.module.css';
import { canEditShared, canWriteMacros } from '#reading/templates/template-permissions.ts';

type Props = { macro: Macro | undefined; onClose: () => void };

type MacroFields = { abbreviation: string; name: string; text: string; isShared: boolean };

const check = schemaResolver(macroForm, { sync: true });

/** Form of a macro. The owner is chosen at creation and cannot change. */
export function MacroForm({ macro, onClose }: Props) {
  const form = useForm<MacroFields>({
    initialValues: macro ?? { abbreviation: '', name: '', text: '', isShared: !canWriteMacros() },
    validate: check,
  });
  const save = useSave(macro, (faults) => form.setErrors(faults), onClose);
  const text = useRef<HTMLTextAreaElement>(null);
  const insertField = (field: string) => {
    const { selectionStart = 0, selectionEnd = 0 } = text.current ?? {};
    const formText = form.getValues().text;
    form.setFieldValue('text', formText.slice(0, selectionStart) + field + formText.slice(selectionEnd));
    text.current?.focus();
  };
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={form.onSubmit(save.mutate, (faults) => focusFirstInvalid(form.getInputNode, faults))}
    >
      <TextInput
        label={t`Abbreviation`}
        description={t`Case-sensitive`}
        withAsterisk
        data-autofocus
        maxLength={24}
        {...form.getInputProps('abbreviation')}
      />
      <TextInput label={t`Name`} withAsterisk {...form.getInputProps('name')} />
      <Textarea
        className={styles.wide}
        label={t`Text`}
        description={t`Each line becomes a paragraph. Text in [square brackets] becomes a field.`}
        withAsterisk
        rows={6}
        resize="vertical"
        {...form.getInputProps('text')}
        ref={text}
      />
      <div className={styles.wide}>
        <MergeFieldMenu onChoose={insertField} />
        <FieldMenu onChoose={insertField} />
      </div>
      {!macro && canEditShared() && canWriteMacros() && (
        <Checkbox
          className={styles.wide}
          label={t`Share with the organization`}
          {...form.getInputProps('isShared', { type: 'checkbox' })}
        />
      )}
      {save.error && !isShownAtFields(save.error) && (
        <div className={styles.wide}>
          <Notice tone="danger">{errorMessageOf(save.error, t`Failed to save macro`)}</Notice>
        </div>
      )}
      <div className={styles.buttons}>
        <CancelButton onCancel={onClose} />
        <Button type="submit" loading={save.isPending}>
          {t`Save macro`}
        </Button>
      </div>
    </form>
  );
}

const useSave = (macro: Macro | undefined, onFaults: (faults: Record<string, string>) => void, onDone: () => void) => {
  const says = { done: t`Macro saved`, failed: t`Failed to save macro` };
  const create = useAction(macros.create, says);
  const update = useAction(macros.update, says);
  const after = { onSuccess: onDone, onError: (error: Error) => onFaults(fieldErrorsOf(error)) };
  return {
    error: create.error ?? update.error,
    isPending: create.isPending || update.isPending,
    mutate: ({ isShared, ...words }: MacroFields) => {
      const { abbreviation, name, text } = words;
      if (!macro) create.mutate({ body: { abbreviation, name, text, isShared } }, after);
      else
        update.mutate(
          { params: { id: macro.id }, body: { abbreviation, name, text, revision: macro.revision } },
          after,
        );
    },
  };
};
