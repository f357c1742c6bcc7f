import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import {
  ownOrganization,
  organizationForm,
  type OrganizationForm,
  type OrganizationSettings,
} from '@radwork/contract/identity/tenants';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { query, useAction } from '#core/http/api.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { fieldErrorsOf, focusFirstInvalid } from '#ui/forms/field-errors.ts';
import { LoadedSettings, SettingsSheet } from '#ui/forms/settings-screen.tsx';
import {
  IdentitySection,
  PatientsSection,
  RetentionSection,
  SightSection,
  SignInSection,
  StorageSection,
} from './organization-sections.tsx';

const failedToLoad = t`Failed to load the organization settings`;
const failedToSave = t`Failed to save the organization settings`;

const isWidened = {
  question: t`Show all studies to referring physicians?`,
  consequence: t`Every referring physician of this organization will see all its studies, images and signed reports. Conversations still require an invitation.`,
  verb: t`Show all studies`,
};

/** Screen /organization: settings of the user's organization. */
export function OrganizationScreen() {
  return (
    <LoadedSettings title={t`Organization`} failed={failedToLoad} settings={query(ownOrganization.read, {})}>
      {(stored, onLoadAgain) => <SettingsForm stored={stored} onLoadAgain={onLoadAgain} />}
    </LoadedSettings>
  );
}

const formOf = ({
  subdomain: _subdomain,
  storedBytes: _stored,
  storageQuotaBytes: _quota,
  ...form
}: OrganizationSettings): OrganizationForm => form;

function SettingsForm({ stored, onLoadAgain }: { stored: OrganizationSettings; onLoadAgain: () => Promise<void> }) {
  // Settings when the form opened. Newer server data must not replace what the user types.
  const [known, setKnown] = useState(stored);
  const form = useForm<OrganizationForm>({
    initialValues: formOf(stored),
    validate: schemaResolver(organizationForm, { sync: true }),
  });
  const client = useQueryClient();
  const save = useAction(ownOrganization.save, { done: t`Organization saved`, failed: failedToSave, refreshes: [] });

  const send = async (body: OrganizationForm) => {
    if (body.referrersSee === 'ALL' && known.referrersSee === 'OWN' && !(await confirm(isWidened))) return;
    save.mutate(
      { body },
      {
        onSuccess: (saved) => {
          client.setQueryData(query(ownOrganization.read, {}).queryKey, saved);
          void client.invalidateQueries({ queryKey: ['organization', ownOrganization.brand.path] });
          setKnown(saved);
          form.setInitialValues(formOf(saved));
          form.setValues(formOf(saved));
          form.resetDirty(formOf(saved));
        },
        onError: (error) => {
          form.setErrors(fieldErrorsOf(error));
          focusFirstInvalid(form.getInputNode, fieldErrorsOf(error));
        },
      },
    );
  };

  return (
    <SettingsSheet
      title={t`Organization`}
      lost={t`Your changes to the organization settings will be lost.`}
      formId="organization"
      isDirty={form.isDirty()}
      save={save}
      failed={failedToSave}
      onLoadAgain={onLoadAgain}
      links={
        <Button variant="subtle" renderRoot={(props) => <Link to="/reporting-settings" {...props} />}>
          {t`Reporting settings`}
        </Button>
      }
    >
      <form
        id="organization"
        noValidate
        onSubmit={form.onSubmit(
          (body) => void send(body),
          (faults) => focusFirstInvalid(form.getInputNode, faults),
        )}
      >
        <IdentitySection form={form} subdomain={known.subdomain} />
        <SightSection form={form} />
        <PatientsSection form={form} />
        <SignInSection form={form} />
        <RetentionSection form={form} />
        <StorageSection known={known} />
      </form>
    </SettingsSheet>
  );
}
