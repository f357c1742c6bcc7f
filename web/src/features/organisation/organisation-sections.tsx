import { t } from '@lingui/core/macro';
import { NumberInput, Progress, Radio, Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { locales, type OrganisationForm, type OrganisationSettings } from '@radwork/contract/tenants';
import { productName } from '#core/product.ts';
import { IssuerInput } from '#ui/issuer-input.tsx';
import { formatSize } from '#ui/formats.ts';
import { localeNames } from '#ui/locale-names.ts';
import { SettingsSection } from '#ui/settings-section.tsx';
import { TimeZoneSelect } from '#ui/time-zone-select.tsx';
import styles from './organisation.module.css';

type Props = { form: UseFormReturnType<OrganisationForm> };

export function IdentitySection({ form, subdomain }: Props & { subdomain: string }) {
  return (
    <SettingsSection
      title={t`Identity`}
      about={t`What the organisation is called, and the clocks by which studies are registered and worklists are written.`}
    >
      <TextInput label={t`Name`} withAsterisk {...form.getInputProps('name')} />
      <TextInput
        label={t`Subdomain`}
        value={subdomain}
        readOnly
        description={t`What people type as their organisation. Only a super administrator changes it, before anybody has used it.`}
      />
      <TimeZoneSelect withAsterisk {...form.getInputProps('timeZone')} />
      <Select
        label={t`Language`}
        withAsterisk
        allowDeselect={false}
        data={locales.map((value) => ({ value, label: localeNames[value] }))}
        description={t`What the organisation works in. The screens are in English, and dates are written year-month-day.`}
        {...form.getInputProps('locale')}
      />
      <TextInput
        label={t`Name of the product`}
        placeholder={productName}
        description={t`Stands in the header and on the sign-in page at ?organisation=${subdomain}. Empty for ${productName}.`}
        {...form.getInputProps('productName')}
      />
    </SettingsSection>
  );
}

export function SightSection({ form }: Props) {
  return (
    <SettingsSection
      title={t`Referring physicians`}
      about={t`What those see who send patients here and read nothing themselves. They never see drafts, and are part of a conversation only when invited.`}
    >
      <Radio.Group label={t`Referring physicians see`} {...form.getInputProps('referrersSee')}>
        <div className={styles.choices}>
          <Radio value="OWN" label={t`Studies that they referred, ordered, were assigned to or were given`} />
          <Radio value="ALL" label={t`All studies of the organisation`} />
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
        description={t`Kept files are marked until an administrator decides who the patient is. Refused files are not stored; the sender gets an error.`}
        {...form.getInputProps('contradictingPatients')}
      >
        <div className={styles.choices}>
          <Radio value="KEEP" label={t`Keep all`} />
          <Radio
            value="REFUSE_TWO"
            label={t`Refuse another name with another birth date, or with another sex where a birth date is missing; keep the others`}
          />
          <Radio value="REFUSE" label={t`Refuse all`} />
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
      about={t`A second factor is a code from an app on the telephone, besides the password. Whoever has to have one sets it up at the next call.`}
    >
      <Radio.Group label={t`A second factor is needed by`} {...form.getInputProps('secondFactorPolicy')}>
        <div className={styles.choices}>
          <Radio value="OPTIONAL" label={t`Nobody; everybody may have one`} />
          <Radio value="ADMINISTRATORS" label={t`Administrators`} />
          <Radio value="EVERYBODY" label={t`Everybody`} />
        </div>
      </Radio.Group>
    </SettingsSection>
  );
}

export function RetentionSection({ form }: Props) {
  return (
    <SettingsSection
      title={t`Retention`}
      about={t`A deleted study waits in the recycle bin, and is then gone for good with its images. A legal hold, a signed report and an open critical finding keep it.`}
    >
      <NumberInput
        className={styles.amount ?? ''}
        label={t`Recycle bin`}
        suffix=" days"
        min={7}
        max={365}
        clampBehavior="none"
        allowDecimal={false}
        allowNegative={false}
        description={t`A change counts for what is in the bin already, too.`}
        {...form.getInputProps('recycleBinDays')}
      />
      <NumberInput
        className={styles.amount ?? ''}
        label={t`Audit log`}
        suffix=" years"
        min={6}
        max={100}
        clampBehavior="none"
        allowDecimal={false}
        allowNegative={false}
        description={t`Nothing deletes entries at present: they are kept longer than this.`}
        {...form.getInputProps('auditYears')}
      />
    </SettingsSection>
  );
}

type Storage = Pick<OrganisationSettings, 'storedBytes' | 'storageQuotaBytes'>;

export function StorageSection({ known: { storedBytes, storageQuotaBytes } }: { known: Storage }) {
  const share = storageQuotaBytes ? Math.min(100, (storedBytes / storageQuotaBytes) * 100) : 0;
  return (
    <SettingsSection
      title={t`Storage`}
      about={t`What the images of this organisation take up. Its limit is set by a super administrator; beyond it nothing more is taken in.`}
    >
      <p className={styles.use}>
        <strong>{formatSize(storedBytes)}</strong>{' '}
        {storageQuotaBytes === null ? t`used, without a limit` : t`of ${formatSize(storageQuotaBytes)} used`}
      </p>
      {storageQuotaBytes !== null && (
        <Progress value={share} color={share >= 90 ? 'red' : 'azure'} aria-label={t`Share of the storage in use`} />
      )}
    </SettingsSection>
  );
}
