import { t } from '@lingui/core/macro';
import { PasswordInput, Switch, TextInput } from '@mantine/core';
import { dictation } from '@radwork/contract/reading/dictation';
import type { ReportingSettings } from '@radwork/contract/reading/reporting-settings';
import { call } from '#core/http/api.ts';
import { SettingsSection } from '#ui/forms/settings-section.tsx';
import { ConnectionCheck } from './connection-check.tsx';
import type { SettingsForm } from './use-reporting-settings-form.ts';

type Props = { form: SettingsForm; stored: ReportingSettings };

/** Time-out of a connection test, in milliseconds; longer than the time-out on the server. */
const testPatience = 25_000;

/** Settings for dictation: whether it is allowed, with which recognizer, and the server of the organization. */
export function DictationSection({ form, stored }: Props) {
  const { dictationUrl = '', dictationModel = '', dictationKey } = form.values;
  return (
    <SettingsSection
      title={t`Dictation`}
      about={t`The browser may send the voice to its vendor. A dictation server of your own does not. Users are informed before they dictate.`}
    >
      <Switch label={t`Allow dictation`} {...form.getInputProps('isDictationAllowed', { type: 'checkbox' })} />
      <Switch
        label={t`Allow the recognizer of the browser`}
        description={t`Turn off if the voice must not reach the vendor of the browser.`}
        {...form.getInputProps('isBrowserDictationAllowed', { type: 'checkbox' })}
      />
      <TextInput
        label={t`Address of the dictation server`}
        placeholder="http://dictation.example.org:8000/v1"
        description={t`The address before /audio/transcriptions. Leave empty without a server.`}
        {...form.getInputProps('dictationUrl')}
      />
      {dictationUrl.trim() !== '' && (
        <>
          <TextInput
            label={t`Model of the dictation server`}
            placeholder="whisper-1"
            description={t`Optional if the server has one model`}
            {...form.getInputProps('dictationModel')}
          />
          <PasswordInput
            label={t`Key of the dictation server`}
            autoComplete="new-password"
            description={
              stored.hasDictationKey
                ? t`Leave empty to keep the key. Required for a new server.`
                : t`Optional if the server requires no key`
            }
            {...form.getInputProps('dictationKey')}
          />
          <ConnectionCheck
            settings={{ dictationUrl, dictationModel, dictationKey }}
            test={(body) => call(dictation.test, { body }, { timeout: testPatience })}
            onFaults={form.setErrors}
          />
        </>
      )}
    </SettingsSection>
  );
}
