import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, PasswordInput, Select, TextInput } from '@mantine/core';
import type { ConnectionTest } from '@radwork/contract/connection-test';
import {
  aiProviderNames,
  aiProviders,
  geminiAddress,
  isRemoteProvider,
  type ReportingSettings,
  reportingSettings,
} from '@radwork/contract/reporting-settings';
import { useMutation } from '@tanstack/react-query';
import { call, wordsFor } from '#core/api.ts';
import { faultsIn } from '#ui/form-faults.ts';
import { formatMoment } from '#ui/formats.ts';
import { Notice } from '#ui/notice.tsx';
import { StatusPill } from '#ui/status-pill.tsx';
import styles from './reporting-settings.module.css';
import { SettingsSection } from '#ui/settings-section.tsx';
import type { SettingsForm } from './use-settings-form.ts';

type Props = { form: SettingsForm; stored: ReportingSettings };

/** Timeout of a connection test, in milliseconds; longer than the server's own. */
const testPatience = 35_000;

/** Provider of AI drafts, its connection, and the consent to send texts to it. */
export function DraftingSection({ form, stored }: Props) {
  const { aiProvider } = form.values;
  return (
    <SettingsSection
      title={t`Drafting`}
      about={t`Who proposes an impression, a report or better words. Every proposal is marked until its reader accepts it, and blocks the signature until then.`}
    >
      <Select
        label={t`Provider`}
        allowDeselect={false}
        data={aiProviders.map((value) => ({ value, label: aiProviderNames[value] }))}
        {...form.getInputProps('aiProvider')}
      />
      {aiProvider === 'NONE' && (
        <p className={styles.hint}>{t`Nothing drafts, and the buttons for it are not shown.`}</p>
      )}
      {aiProvider === 'RULES' && (
        <p
          className={styles.hint}
        >{t`Arranges and tidies the reader’s own words by rules. No text leaves this server.`}</p>
      )}
      {isRemoteProvider(aiProvider) && <RemoteFields form={form} stored={stored} />}
    </SettingsSection>
  );
}

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : 'the address above');

function RemoteFields({ form, stored }: Props) {
  const { aiProvider, aiBaseUrl } = form.values;
  const isGemini = aiProvider === 'GEMINI';
  const host = hostOf(aiBaseUrl || (isGemini ? geminiAddress : ''));
  const hasKey = stored.hasAiKey && stored.aiProvider === aiProvider;
  return (
    <>
      <TextInput
        label={t`Base URL`}
        withAsterisk={!isGemini}
        placeholder={isGemini ? geminiAddress : 'https://models.example.org/v1'}
        description={isGemini ? t`Empty for Google’s own address` : t`The address before /chat/completions`}
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
          hasKey ? t`Empty keeps it; a new server needs it again` : !isGemini && t`Empty if the server asks for none`
        }
        {...form.getInputProps('aiKey')}
      />
      <ConnectionCheck form={form} />
      <Checkbox
        label={t`We agree that texts of reports leave for ${host}`}
        description={t`Findings and passages, without the patient’s name, numbers, dates, addresses and referring physician. Without this nothing is drafted there.`}
        {...form.getInputProps('isAiAgreed', { type: 'checkbox' })}
      />
      {stored.aiAgreedAt && (
        <p className={styles.hint}>
          <Trans>
            Agreed by {stored.aiAgreedBy} on {formatMoment(stored.aiAgreedAt)}
          </Trans>
        </p>
      )}
    </>
  );
}

function ConnectionCheck({ form }: { form: SettingsForm }) {
  const { aiProvider, aiModel, aiBaseUrl, aiKey } = form.values;
  const typed = { aiProvider, aiModel, aiBaseUrl, aiKey };
  const test = useMutation({
    mutationFn: (body: typeof typed) => call(reportingSettings.test, { body }, { timeout: testPatience }),
    onError: (error) => form.setErrors(faultsIn(error)),
  });
  // A test result only applies to the values tested.
  const isTested = JSON.stringify(test.variables) === JSON.stringify(typed);
  return (
    <div className={styles.test}>
      <Button variant="default" loading={test.isPending} onClick={() => test.mutate(typed)}>
        {t`Test connection`}
      </Button>
      {isTested && test.data && <TestResult result={test.data} />}
      {isTested && test.error && <Notice tone="danger">{wordsFor(test.error, test.error.message)}</Notice>}
    </div>
  );
}

function TestResult({ result: { isOk, message, milliseconds } }: { result: ConnectionTest }) {
  return (
    <span className={styles.outcome} role="status">
      <StatusPill
        tone={isOk ? 'success' : 'danger'}
        shape={isOk ? 'dot' : 'diamond'}
        label={isOk ? t`Works` : t`Fails`}
      />
      <span>{isOk ? t`${message}, in ${milliseconds} ms` : message}</span>
    </span>
  );
}
