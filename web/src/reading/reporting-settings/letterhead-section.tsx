import { t } from '@lingui/core/macro';
import { Button, FileButton, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { largestLogo, reportIdentifierLabels, reportIdentifiers } from '@radwork/contract/reading/reporting-settings';
import styles from './reporting-settings.module.css';
import { SettingsSection } from '#ui/forms/settings-section.tsx';
import type { SettingsForm } from './use-reporting-settings-form.ts';

const readDataUrl = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      if (typeof reader.result === 'string') resolve(reader.result);
    });
    reader.addEventListener('error', () => reject(new Error(t`The file cannot be read`)));
    reader.readAsDataURL(file);
  });

/** Settings for the head and foot of printed reports. */
export function LetterheadSection({ form }: { form: SettingsForm }) {
  const { letterheadLogo } = form.values;
  const choose = async (file: File | null) => {
    if (!file) return;
    if (!/^image\/(?:png|jpeg)$/.test(file.type))
      form.setFieldError('letterheadLogo', t`The logo must be a PNG or JPEG image`);
    else if (file.size > largestLogo) form.setFieldError('letterheadLogo', t`The logo is larger than 200 KB`);
    else form.setFieldValue('letterheadLogo', await readDataUrl(file));
  };
  return (
    <SettingsSection title={t`Letterhead`} about={t`Printed on every page of a PDF report.`}>
      <Textarea label={t`Header`} rows={3} {...form.getInputProps('letterhead')} />
      <Textarea label={t`Footer`} rows={3} {...form.getInputProps('letterheadFooter')} />
      <TextInput
        label={t`Contact`}
        description={t`Phone number or address for questions`}
        {...form.getInputProps('reportContact')}
      />
      <NativeSelect
        label={t`Patient identifier`}
        description={t`Shown next to the patient name in shared reports`}
        data={reportIdentifiers.map((value) => ({ value, label: reportIdentifierLabels[value] }))}
        {...form.getInputProps('reportIdentifier')}
      />
      <div className={styles.logo}>
        <span className={styles.label}>{t`Logo`}</span>
        {letterheadLogo ? (
          <img src={letterheadLogo} alt={t`Letterhead logo`} />
        ) : (
          <span className={styles.hint}>{t`None`}</span>
        )}
        <div className={styles.buttons}>
          <FileButton accept="image/png,image/jpeg" onChange={(file) => void choose(file)}>
            {(props) => (
              <Button variant="default" {...props}>
                {letterheadLogo ? t`Replace` : t`Select image`}
              </Button>
            )}
          </FileButton>
          {letterheadLogo && (
            <Button variant="default" onClick={() => form.setFieldValue('letterheadLogo', null)}>
              {t`Remove logo`}
            </Button>
          )}
        </div>
        <span className={styles.hint}>{t`PNG or JPEG, up to 200 KB`}</span>
        {form.errors['letterheadLogo'] && (
          <span className={styles.fault} role="alert">
            {form.errors['letterheadLogo']}
          </span>
        )}
      </div>
    </SettingsSection>
  );
}
