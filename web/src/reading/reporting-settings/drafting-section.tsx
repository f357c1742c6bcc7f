import { t } from '@lingui/core/macro';
import { Checkbox, PasswordInput, Select, TextInput } from '@mantine/core';
import {
  aiProviderNames,
  aiProviders,
  geminiAddress,
  isRemoteProvider,
  type ReportingSettings,
  reportingSettings,
} from '@radwork/contract/reading/reporting-settings';
import { call } from '#core/http/api.ts';
import { formatMoment } from '#ui/formats/formats.ts';
import { ConnectionCheck } from './connection-check.tsx';
import styles from './reporting-settings.module.css';
import { SettingsSection } from '#ui/forms/settings-section.tsx';
import type { SettingsForm } from './use-reporting-settings-form.ts';

type Props = { form: SettingsForm; stored: ReportingSettings };

/** Time-out of a connection test, in milliseconds; longer than the time-out on the server. */
const testPatience = 35_000;

/** Settings for AI drafts: the provider, its connection, and the consent to send texts to it. */
export function DraftingSection({ form, stored }: Props) {
  const { aiProvider } = form.values;
  return (
    <SettingsSection
      title={t`Drafting`}
      about={t`Proposes impressions, reports and wording. A proposal stays marked and prevents signing until the reader accepts or rejects it.`}
    >
      <Select
        label={t`Provider`}
        allowDeselect={false}
        data={aiProviders.map((value) => ({ value, label: aiProviderNames[value] }))}
        {...form.getInputProps('aiProvider')}
      />
      {aiProvider === 'NONE' && <p className={styles.hint}>{t`Drafting is off.`}</p>}
      {aiProvider === 'RULES' && (
        <p className={styles.hint}>{t`Arranges the reader’s own text by rules. No text leaves this server.`}</p>
      )}
      {isRemoteProvider(aiProvider) && <RemoteFields form={form} stored={stored} />}
    </SettingsSection>
  );
}

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : '');

function RemoteFields({ form, stored }: Props) {
  const { aiProvider, aiBaseUrl, aiModel, aiKey } = form.values;
  const isGemini = aiProvider === 'GEMINI';
  const agreedBy = stored.aiAgreedBy;
  const agreedAt = formatMoment(stored.aiAgreedAt);
  const host = hostOf(aiBaseUrl || (isGemini ? geminiAddress : ''));
  const hasKey = stored.hasAiKey && stored.aiProvider === aiProvider;
  return (
    <>
      <TextInput
        label={t`Base URL`}
        withAsterisk={!isGemini}
        placeholder={isGemini ? geminiAddress : 'https://models.example.org/v1'}
        description={isGemini ? t`Leave empty for the Google address` : t`The address before /chat/completions`}
        {...form.getInputProps('aiBaseUrl')}
      />
      <TextInput
        label={t`Model`}
        withAsterisk
        placeholder={isGemini ? 'gemini-flash-latest' : 'llama-3.3-70b'}
        {...form.getInputProps('aiModel')}
      />
      <PasswordInput
        label={t`API key`}
        withAsterisk={isGemini && !hasKey}
        autoComplete="new-password"
        description={
          hasKey
            ? t`Leave empty to keep the key. Required for a new server.`
            : !isGemini && t`Optional if the server requires no key`
        }
        {...form.getInputProps('aiKey')}
      />
      <ConnectionCheck
        settings={{ aiProvider, aiModel, aiBaseUrl, aiKey }}
        test={(body) => call(reportingSettings.test, { body }, { timeout: testPatience })}
        onFaults={form.setErrors}
      />
      <Checkbox
        label={
          host ? t`We agree to send report texts to ${host}` : t`We agree to send report texts to the address above`
        }
        description={t`Findings and passages are sent without patient name, numbers, dates, addresses and referring physician. Required for drafting.`}
        {...form.getInputProps('isAiAgreed', { type: 'checkbox' })}
      />
      {stored.aiAgreedAt && <p className={styles.hint}>{t`Agreed by ${agreedBy} on ${agreedAt}`}</p>}
    </>
  );
}
