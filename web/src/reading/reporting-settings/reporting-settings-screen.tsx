import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type ReportingSettings, reportingSettings } from '@radwork/contract/reading/reporting-settings';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { query, useAction } from '#core/http/api.ts';
import { fieldErrorsOf } from '#ui/forms/field-errors.ts';
import { LoadedSettings, SettingsSheet } from '#ui/forms/settings-screen.tsx';
import { DictationSection } from './dictation-section.tsx';
import { DraftingSection } from './drafting-section.tsx';
import { LetterheadSection } from './letterhead-section.tsx';
import { PhrasesSection } from './phrases-section.tsx';
import { CriticalSection, LinksSection, ReadingSection, SigningSection } from './rules-sections.tsx';
import { useReportingSettingsForm } from './use-reporting-settings-form.ts';

/** Screen /reporting-settings: dictation, drafting, signing, sharing and printing of reports in this organization. */
export function ReportingSettingsScreen() {
  return (
    <LoadedSettings
      title={t`Reporting settings`}
      failed={t`Failed to load reporting settings`}
      settings={query(reportingSettings.read, {})}
    >
      {(stored, onLoadAgain) => <SettingsForm stored={stored} onLoadAgain={onLoadAgain} />}
    </LoadedSettings>
  );
}

function SettingsForm({ stored, onLoadAgain }: { stored: ReportingSettings; onLoadAgain: () => Promise<void> }) {
  // Settings at the time when the form opened. Newer server data must not replace what the user types.
  const [known, setKnown] = useState(stored);
  const form = useReportingSettingsForm(known);
  const client = useQueryClient();
  const save = useAction(reportingSettings.save, {
    done: t`Reporting settings saved`,
    failed: t`Failed to save reporting settings`,
    refreshes: [],
  });
  const submit = form.onSubmit((body) => {
    save.mutate(
      { body },
      {
        onSuccess: (saved) => {
          client.setQueryData(query(reportingSettings.read, {}).queryKey, saved);
          void client.invalidateQueries({ queryKey: query(reportingSettings.forWriting, {}).queryKey });
          setKnown(saved);
          form.goOnFrom(saved);
        },
        onError: (error) => {
          form.setErrors(fieldErrorsOf(error));
          form.toFirstFault(fieldErrorsOf(error));
        },
      },
    );
  }, form.toFirstFault);
  return (
    <SettingsSheet
      title={t`Reporting settings`}
      lost={t`Your changes to the reporting settings are lost.`}
      formId="reporting-settings"
      isDirty={form.isDirty()}
      save={save}
      failed={t`Failed to save reporting settings`}
      onLoadAgain={onLoadAgain}
      links={
        <Button variant="subtle" renderRoot={(props) => <Link to="/organization" {...props} />}>
          {t`Organization`}
        </Button>
      }
    >
      <form id="reporting-settings" noValidate onSubmit={submit}>
        <DictationSection form={form} stored={known} />
        <DraftingSection form={form} stored={known} />
        <ReadingSection form={form} />
        <CriticalSection form={form} />
        <LinksSection form={form} />
        <SigningSection form={form} />
        <LetterheadSection form={form} />
      </form>
      <PhrasesSection />
    </SettingsSheet>
  );
}
