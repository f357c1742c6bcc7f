import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { RemoteConfiguration } from '@radwork/contract/imaging/remote-archives';
import { useState } from 'react';
import { CancelButton } from '#ui/dialogs/dialog-form.tsx';
import { isShownAtFields } from '#ui/forms/field-errors.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { useFirstFocus } from '#ui/dialogs/use-first-focus.ts';
import { AddressFields, SignInFields } from './configuration-fields.tsx';
import { configurationErrorMessage } from './configuration-errors.ts';
import { ConnectionTestResult } from './connection-test.tsx';
import styles from '#imaging/remote-archives/forms.module.css';
import { useSaveConfiguration, useTestForm } from './use-configuration-actions.ts';
import { useConfigurationForm } from './use-configuration-form.ts';

type Props = { stored: RemoteConfiguration | undefined; onClose: () => void };

/** Form of a configuration. The user can test the connection before saving. */
export function ConfigurationForm({ stored: known, onClose }: Props) {
  // Configuration when the form opened. With a newer revision, a save would overwrite another user's changes.
  const [stored] = useState(known);
  const form = useConfigurationForm(stored);
  const test = useTestForm(stored?.id, form.setErrors);
  const save = useSaveConfiguration(stored, form.setErrors, onClose);
  // Whether the current values are those of the last test. A test result applies only to the tested values.
  const isTested = JSON.stringify(test.variables) === JSON.stringify(form.getTransformedValues());
  const first = useFirstFocus();
  const error = save.error ?? (isTested ? test.error : null);

  return (
    <form ref={first} className={styles.form} noValidate onSubmit={form.onSubmit(save.mutate, form.toFirstFault)}>
      <AddressFields form={form} />
      {form.values.protocol !== 'DIMSE' && <SignInFields form={form} stored={stored} />}
      {test.data && isTested && (
        <div className={styles.wide}>
          <ConnectionTestResult result={test.data} />
        </div>
      )}
      {error && !isShownAtFields(error) && (
        <div className={styles.wide}>
          <Notice tone="danger">{configurationErrorMessage(error, t`Failed to save configuration`)}</Notice>
        </div>
      )}
      <div className={styles.buttons}>
        <Button variant="default" loading={test.isPending} onClick={form.onChecked(test.mutate)}>
          {t`Test connection`}
        </Button>
        <CancelButton onCancel={onClose} />
        <Button type="submit" loading={save.isPending}>
          {t`Save`}
        </Button>
      </div>
    </form>
  );
}
