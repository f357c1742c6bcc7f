import { t } from '@lingui/core/macro';
import { singleSignOn, type SingleSignOnSettings } from '@radwork/contract/identity/single-sign-on';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { query, useAction } from '#core/http/api.ts';
import { fieldErrorsOf } from '#ui/forms/field-errors.ts';
import { LoadedSettings, SettingsSheet } from '#ui/forms/settings-screen.tsx';
import { SignOnUsersSections } from './sign-on-users-sections.tsx';
import { ProviderSection } from './provider-section.tsx';
import { ClaimsSection, GroupsSection, StrengthSection } from './rights-sections.tsx';
import { useSignOnForm } from './use-sign-on-form.ts';

/**
 * Screen /single-sign-on: settings of the organization's provider, and the links between its users and accounts in this
 * application.
 */
export function SingleSignOnScreen() {
  return (
    <LoadedSettings
      title={t`Single sign-on`}
      failed={t`Failed to load single sign-on`}
      settings={query(singleSignOn.read, {})}
    >
      {(stored, onLoadAgain) => <Settings stored={stored} onLoadAgain={onLoadAgain} />}
    </LoadedSettings>
  );
}

function Settings({ stored, onLoadAgain }: { stored: SingleSignOnSettings; onLoadAgain: () => Promise<void> }) {
  // Settings when the form opened. Newer server data must not replace what the user types.
  const [known, setKnown] = useState(stored);
  const form = useSignOnForm(known);
  const client = useQueryClient();
  const save = useAction(singleSignOn.save, {
    done: t`Single sign-on saved`,
    failed: t`Failed to save single sign-on`,
    refreshes: [],
  });
  const submit = form.onSubmit((body) => {
    save.mutate(
      { body },
      {
        onSuccess: (saved) => {
          client.setQueryData(query(singleSignOn.read, {}).queryKey, saved);
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
      title={t`Single sign-on`}
      lost={t`Your changes to single sign-on will be lost.`}
      formId="single-sign-on"
      isDirty={form.isDirty()}
      save={save}
      failed={t`Failed to save single sign-on`}
      onLoadAgain={onLoadAgain}
    >
      <form id="single-sign-on" noValidate onSubmit={submit}>
        <ProviderSection form={form} stored={known} />
        <ClaimsSection form={form} />
        <GroupsSection form={form} stored={known} />
        <StrengthSection form={form} />
      </form>
      <SignOnUsersSections />
    </SettingsSheet>
  );
}
