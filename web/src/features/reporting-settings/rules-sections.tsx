import { t } from '@lingui/core/macro';
import { NativeSelect, NumberInput, Switch } from '@mantine/core';
import { type SigningProof, signingProofLabels, signingProofs } from '@radwork/contract/signing-means';
import styles from './reporting-settings.module.css';
import { SettingsSection } from '#ui/settings-section.tsx';
import type { SettingsForm } from './use-settings-form.ts';

type Props = { form: SettingsForm };
type NumberField = 'criticalMinutes' | 'urgentMinutes' | 'significantMinutes' | 'linkDays';
type FlagField =
  | 'isDictationAllowed'
  | 'isLinkCodeRequired'
  | 'isReviewRequired'
  | 'isSignatureRequired'
  | 'isReportStoredAsDicom';

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

export function DictationSection({ form }: Props) {
  return (
    <SettingsSection
      title={t`Dictation`}
      about={t`A browser’s speech engine may send the voice to its vendor. Whoever dictates is told so first.`}
    >
      <Flag form={form} name="isDictationAllowed" label={t`Reports may be dictated`} />
    </SettingsSection>
  );
}

export function CriticalSection({ form }: Props) {
  return (
    <SettingsSection
      title={t`Critical findings`}
      about={t`Until when somebody must have been told of a finding, counted from when it was recorded. A clock that is changed counts for findings from then on.`}
    >
      <div className={styles.row}>
        <Amount form={form} name="criticalMinutes" label={t`Critical`} unit="minutes" />
        <Amount form={form} name="urgentMinutes" label={t`Urgent`} unit="minutes" />
        <Amount form={form} name="significantMinutes" label={t`Significant`} unit="minutes" />
      </div>
    </SettingsSection>
  );
}

export function LinksSection({ form }: Props) {
  return (
    <SettingsSection title={t`Links`} about={t`By a link, somebody without an account reads a signed report.`}>
      <Amount form={form} name="linkDays" label={t`A link is good for`} unit="days" />
      <Flag
        form={form}
        name="isLinkCodeRequired"
        label={t`A link asks for a passcode or the date of birth`}
        description={t`Links that were made before keep what they ask for`}
      />
    </SettingsSection>
  );
}

const proofWords: Record<SigningProof, string> = {
  RECENT_SIGN_IN: t`Later, a password or code is required.`,
  PASSWORD: t`Users without a password sign in again at your provider each time.`,
  PIN: t`Each user sets a PIN on the account page. Without one they cannot sign.`,
  CODE: t`Each user needs a second factor. Without one they cannot sign.`,
};

export function SigningSection({ form }: Props) {
  return (
    <SettingsSection title={t`Signing`} about={t`What has to happen before a report is final, and what is kept of it.`}>
      <Flag form={form} name="isReviewRequired" label={t`A colleague approves every report before it is signed`} />
      <Flag form={form} name="isSignatureRequired" label={t`Reports need a signature: drawn, typed or saved`} />
      <NativeSelect
        label={t`Proof of the signer`}
        description={form.values.signingProof && proofWords[form.values.signingProof]}
        data={signingProofs.map((value) => ({ value, label: signingProofLabels[value] }))}
        {...form.getInputProps('signingProof')}
      />
      <Flag
        form={form}
        name="isReportStoredAsDicom"
        label={t`Keep the signed report in the study as DICOM`}
        description={t`As a PDF beside the images, for every other system that reads the archive`}
      />
    </SettingsSection>
  );
}
