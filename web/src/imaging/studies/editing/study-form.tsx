import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { errorMessageOf } from '#core/http/api.ts';
import { CancelButton } from '#ui/dialogs/dialog-form.tsx';
import { focusFirstInvalid, isShownAtFields } from '#ui/forms/field-errors.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { StudyConflicts } from './study-conflicts.tsx';
import { StudyFields } from './study-fields.tsx';
import styles from './study-form.module.css';
import type { StudyEdit } from './use-study-edit.ts';

/** Form to edit a study, used on a screen and in a dialog. */
export function StudyForm({ edit, onCancel }: { edit: StudyEdit; onCancel: () => void }) {
  const { form, error, isOutdated } = edit;
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={form.onSubmit(edit.save, (faults) => focusFirstInvalid(form.getInputNode, faults))}
    >
      {edit.isRestored && !error && <Notice tone="info">{t`Your unsaved entries were restored.`}</Notice>}
      {isOutdated && <StudyConflicts edit={edit} />}
      <StudyFields inputOf={(field) => form.getInputProps(field)} />
      {error && !isOutdated && !isShownAtFields(error) && (
        <Notice tone="danger">{errorMessageOf(error, t`Error updating study`)}</Notice>
      )}
      <div className={styles.buttons}>
        <CancelButton onCancel={onCancel} />
        <Button type="submit" loading={edit.isSaving}>
          {t`Save`}
        </Button>
      </div>
    </form>
  );
}
