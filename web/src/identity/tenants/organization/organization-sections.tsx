import { t } from '@lingui/core/macro';
import { NumberInput, Progress, Radio, Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { locales, type OrganizationForm, type OrganizationSettings } from '@radwork/contract/identity/tenants';
import { productName } from '#core/browser/product.ts';
import { IssuerInput } from '#ui/forms/issuer-input.tsx';
import { formatSize } from '#ui/formats/formats.ts';
import { localeNames } from '#ui/formats/locale-names.ts';
import { SettingsSection } from '#ui/forms/settings-section.tsx';
import { TimeZoneSelect } from '#ui/forms/time-zone-select.tsx';
import styles from './organization.module.css';

type Props = { form: UseFormReturnType<OrganizationForm> };

export function IdentitySection({ form, subdomain }: Props & { subdomain: string }) {
  return (
    <SettingsSection
      title={t`Identity`}
      about={t`Name of the organization, and its time zone for study dates and worklists`}
    >
      <TextInput label={t`Name`} withAsterisk {...form.getInputProps('name')} />
      <TextInput
        label={t`Subdomain`}
        value={subdomain}
        readOnly
        description={t`Users enter the subdomain to sign in. Only a super administrator can change it, before the first sign-in.`}
      />
      <TimeZoneSelect withAsterisk {...form.getInputProps('timeZone')} />
      <Select
        label={t`Language`}
        withAsterisk
        allowDeselect={false}
        data={locales.map((value) => ({ value, label: localeNames[value] }))}
        description={t`Working language of the organization`}
        {...form.getInputProps('locale')}
      />
      <TextInput
        label={t`Product name`}
        placeholder={productName}
        description={t`Shown in the header and on the sign-in page with ?organization=${subdomain}. Default: ${productName}.`}
        {...form.getInputProps('productName')}
      />
    </SettingsSection>
  );
}

export function SightSection({ form }: Props) {
  return (
    <SettingsSection
      title={t`Referring physicians`}
      about={t`Referring physicians never see drafts and join conversations only by invitation.`}
    >
      <Radio.Group label={t`Referring physicians see`} {...form.getInputProps('referrersSee')}>
        <div className={styles.choices}>
          <Radio
            value="OWN"
            label={t`Studies that they referred or ordered, and studies that are assigned to or shared with them`}
          />
          <Radio value="ALL" label={t`All studies of the organization`} />
        </div>
      </Radio.Group>
    </SettingsSection>
  );
}

export function PatientsSection({ form }: Props) {
  return (
    <SettingsSection
      title={t`Patients`}
      about={t`A file contradicts a patient when it has the same patient ID, but another family name, sex or birth date.`}
    >
      <Radio.Group
        label={t`Files that contradict a patient`}
        description={t`Kept files are marked until an administrator confirms the patient. Rejected files are not stored, and the sender receives an error.`}
        {...form.getInputProps('contradictingPatients')}
      >
        <div className={styles.choices}>
          <Radio value="KEEP" label={t`Keep all`} />
          <Radio
            value="REFUSE_TWO"
            label={t`Reject a file if both the name and the birth date differ. If a birth date is missing, reject a file if both the name and the sex differ. Keep other files.`}
          />
          <Radio value="REFUSE" label={t`Reject all`} />
        </div>
      </Radio.Group>
      <IssuerInput label={t`Issuer of the patient IDs in uploads`} {...form.getInputProps('uploadIssuer')} />
    </SettingsSection>
  );
}

export function SignInSection({ form }: Props) {
  return (
    <SettingsSection
      title={t`Sign-in`}
      about={t`A second factor is a code from an app on the phone, in addition to the password. Users who need a second factor set it up at their next sign-in.`}
    >
      <Radio.Group label={t`Second factor required for`} {...form.getInputProps('secondFactorPolicy')}>
        <div className={styles.choices}>
          <Radio value="OPTIONAL" label={t`No users (optional for all)`} />
          <Radio value="ADMINISTRATORS" label={t`Administrators`} />
          <Radio value="EVERYBODY" label={t`All users`} />
        </div>
      </Radio.Group>
    </SettingsSection>
  );
}

const daysSuffix = ` ${t`days`}`;
const yearsSuffix = ` ${t`years`}`;
export function RetentionSection({ form }: Props) {
  return (
    <SettingsSection
      title={t`Retention`}
      about={t`A deleted study stays in the recycle bin and is then purged with its images. A study with a legal hold, a signed report or an open critical finding is not purged.`}
    >
      <NumberInput
        className={styles.amount ?? ''}
        label={t`Recycle bin`}
        suffix={daysSuffix}
        min={7}
        max={365}
        clampBehavior="none"
        allowDecimal={false}
        allowNegative={false}
        description={t`A change also applies to studies already in the recycle bin.`}
        {...form.getInputProps('recycleBinDays')}
      />
      <NumberInput
        className={styles.amount ?? ''}
        label={t`Audit log`}
        suffix={yearsSuffix}
        min={6}
        max={100}
        clampBehavior="none"
        allowDecimal={false}
        allowNegative={false}
        description={t`Entries are currently never deleted, even after this time.`}
        {...form.getInputProps('auditYears')}
      />
    </SettingsSection>
  );
}

type Storage = Pick<OrganizationSettings, 'storedBytes' | 'storageQuotaBytes'>;

export function StorageSection({ known: { storedBytes, storageQuotaBytes } }: { known: Storage }) {
  const limit = formatSize(storageQuotaBytes ?? 0);
  const share = storageQuotaBytes ? Math.min(100, (storedBytes / storageQuotaBytes) * 100) : 0;
  return (
    <SettingsSection
      title={t`Storage`}
      about={t`Storage used by images. A super administrator sets the limit. Beyond the limit, the archive accepts no more images.`}
    >
      <p className={styles.use}>
        <strong>{formatSize(storedBytes)}</strong>{' '}
        {storageQuotaBytes === null ? t`used, no limit` : t`of ${limit} used`}
      </p>
      {storageQuotaBytes !== null && (
        <Progress value={share} color={share >= 90 ? 'red' : 'azure'} aria-label={t`Used share of the storage`} />
      )}
    </SettingsSection>
  );
}
