import { t } from '@lingui/core/macro';
import { NativeSelect, NumberInput, Switch } from '@mantine/core';
import { type SigningProof, signingProofLabels, signingProofs } from '@radwork/contract/identity/signing-means';
import styles from './reporting-settings.module.css';
import { SettingsSection } from '#ui/forms/settings-section.tsx';
import type { SettingsForm } from './use-reporting-settings-form.ts';

type Props = { form: SettingsForm };
type NumberField = 'criticalMinutes' | 'urgentMinutes' | 'significantMinutes' | 'linkDays' | 'readingClaimMinutes';
type FlagField =
  | 'isLinkCodeRequired'
  | 'isReviewRequired'
  | 'isSignatureRequired'
  | 'isReportStoredAsDicom'
  | 'showsPreliminary';

function Flag(props: Props & { name: FlagField; label: string; description?: string }) {
  const { form, name, ...words } = props;
  return <Switch {...words} {...form.getInputProps(name, { type: 'checkbox' })} />;
}

function Amount(props: Props & { name: NumberField; label: string; unit: string }) {
  const { form, name, label, unit } = props;
  return (
    <NumberInput
      className={styles.amount ?? ''}
      label={label}
      suffix={` ${unit}`}
      min={1}
      allowDecimal={false}
      allowNegative={false}
      {...form.getInputProps(name)}
    />
  );
}

export function ReadingSection({ form }: Props) {
  return (
    <SettingsSection
      title={t`Reading`}
      about={t`A study that a radiologist opens from the queue is reserved. After this time without input, others can open it.`}
    >
      <Amount form={form} name="readingClaimMinutes" label={t`Reserved for`} unit={t`minutes`} />
    </SettingsSection>
  );
}

export function CriticalSection({ form }: Props) {
  return (
    <SettingsSection
      title={t`Critical findings`}
      about={t`Time limits for communicating a finding, from when it is recorded. Changes apply to new findings.`}
    >
      <div className={styles.row}>
        <Amount form={form} name="criticalMinutes" label={t`Critical`} unit={t`minutes`} />
        <Amount form={form} name="urgentMinutes" label={t`Urgent`} unit={t`minutes`} />
        <Amount form={form} name="significantMinutes" label={t`Significant`} unit={t`minutes`} />
      </div>
    </SettingsSection>
  );
}

export function LinksSection({ form }: Props) {
  return (
    <SettingsSection title={t`Share links`} about={t`Anyone with a share link can view the signed report.`}>
      <Amount form={form} name="linkDays" label={t`Validity of a share link`} unit={t`days`} />
      <Flag
        form={form}
        name="isLinkCodeRequired"
        label={t`Require a passcode or the date of birth`}
        description={t`Existing links do not change`}
      />
    </SettingsSection>
  );
}

const proofWords: Record<SigningProof, string> = {
  RECENT_SIGN_IN: t`If the sign-in is older, a password or code is required.`,
  PASSWORD: t`Users without a password sign in again at your provider each time.`,
  PIN: t`Each user sets a PIN on the account page. Users without a PIN cannot sign.`,
  CODE: t`Each user needs a second factor. Users without a second factor cannot sign.`,
};

export function SigningSection({ form }: Props) {
  return (
    <SettingsSection title={t`Signing`} about={t`Requirements before a report is finalized.`}>
      <Flag form={form} name="isReviewRequired" label={t`Require a review before signing`} />
      <Flag form={form} name="isSignatureRequired" label={t`Require a drawn, typed or saved signature`} />
      <NativeSelect
        label={t`Proof of the signer`}
        description={form.values.signingProof && proofWords[form.values.signingProof]}
        data={signingProofs.map((value) => ({ value, label: signingProofLabels[value] }))}
        {...form.getInputProps('signingProof')}
      />
      <Flag
        form={form}
        name="showsPreliminary"
        label={t`Show preliminary reports to referring physicians`}
        description={t`Marked as preliminary, until the report is signed`}
      />
      <Flag
        form={form}
        name="isReportStoredAsDicom"
        label={t`Store signed reports in the study as DICOM`}
        description={t`As an encapsulated PDF, for other systems that read the archive`}
      />
    </SettingsSection>
  );
}
