import { t } from '@lingui/core/macro';
import { Button, FileButton, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { largestLogo, reportIdentifierLabels, reportIdentifiers } from '@radwork/contract/reporting-settings';
import styles from './reporting-settings.module.css';
import { SettingsSection } from '#ui/settings-section.tsx';
import type { SettingsForm } from './use-settings-form.ts';

const readDataUrl = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      if (typeof reader.result === 'string') resolve(reader.result);
    });
    reader.addEventListener('error', () => reject(new Error('The file cannot be read')));
    reader.readAsDataURL(file);
  });

/** Head and foot of a printed report. */
export function LetterheadSection({ form }: { form: SettingsForm }) {
  const { letterheadLogo } = form.values;
  const choose = async (file: File | null) => {
    if (!file) return;
    if (!/^image\/(?:png|jpeg)$/.test(file.type))
      form.setFieldError('letterheadLogo', 'The logo must be a PNG or JPEG picture');
    else if (file.size > largestLogo) form.setFieldError('letterheadLogo', 'The logo is larger than 200 KB');
    else form.setFieldValue('letterheadLogo', await readDataUrl(file));
  };
  return (
    <SettingsSection
      title={t`Letterhead`}
      about={t`Stands on every page of a report that is printed or sent as a PDF.`}
    >
      <Textarea label={t`Head`} rows={3} {...form.getInputProps('letterhead')} />
      <Textarea label={t`Foot`} rows={3} {...form.getInputProps('letterheadFooter')} />
      <TextInput
        label={t`Contact`}
        description={t`Telephone number or address for questions`}
        {...form.getInputProps('reportContact')}
      />
      <NativeSelect
        label={t`Identifier beside the name`}
        description={t`Stands on reports that are read by a link`}
        data={reportIdentifiers.map((value) => ({ value, label: reportIdentifierLabels[value] }))}
        {...form.getInputProps('reportIdentifier')}
      />
      <div className={styles.logo}>
        <span className={styles.label}>{t`Logo`}</span>
        {letterheadLogo ? (
          <img src={letterheadLogo} alt={t`Logo of the letterhead`} />
        ) : (
          <span className={styles.hint}>{t`None`}</span>
        )}
        <div className={styles.buttons}>
          <FileButton accept="image/png,image/jpeg" onChange={(file) => void choose(file)}>
            {(props) => (
              <Button variant="default" {...props}>
                {letterheadLogo ? t`Replace` : t`Choose picture`}
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
