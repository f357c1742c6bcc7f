import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type SsoArrival, singleSignOn, type UserIdentity } from '@radwork/contract/identity/single-sign-on';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { query, useAction } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { fieldErrorsOf } from '#ui/forms/field-errors.ts';
import { formatMoment } from '#ui/formats/formats.ts';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { SettingsSection } from '#ui/forms/settings-section.tsx';
import { isolateText } from '#ui/formats/isolate-text.ts';
import styles from './single-sign-on.module.css';

/** Lists sign-ins without an account, and users linked to the provider. */
export function SignOnUsersSections() {
  return may(singleSignOn.arrivals) ? (
    <>
      <Arrivals />
      <Identities />
    </>
  ) : null;
}

function Arrivals() {
  const arrivals = useQuery(query(singleSignOn.arrivals, {}));
  const [linked, setLinked] = useState<SsoArrival>();
  const dismiss = useAction(singleSignOn.dismiss, { failed: t`Failed to dismiss the sign-in request` });
  const { data, error } = arrivals;
  return (
    <SettingsSection
      title={t`Rejected sign-ins`}
      about={t`Provider accounts without a connected user. Verify the person before you connect an account. The account then signs in as that user.`}
    >
      {error && !data && (
        <ErrorState
          failed={t`Failed to load the rejected sign-ins`}
          error={error}
          onRetry={() => void arrivals.refetch()}
        />
      )}
      {!error && !data && <Skeleton lines={2} />}
      {data?.length === 0 && <p className={styles.hint}>{t`No rejected sign-ins in the last 30 days`}</p>}
      {data && data.length > 0 && (
        <ul className={styles.people} aria-label={t`Rejected sign-ins`}>
          {data
            .map((arrival) => ({ ...arrival, arrival }))
            .map(({ arrival, name }) => (
              <li key={arrival.id}>
                <span className={styles.who}>
                  <strong>{arrival.name}</strong> {arrival.username}
                  <small>
                    {arrival.email && `${arrival.email} · `}
                    {formatMoment(arrival.lastAt)}
                    {arrival.isNameTaken && <> · {t`username taken`}</>}
                  </small>
                </span>
                <span className={styles.line}>
                  <Button variant="default" aria-label={t`Connect ${name}`} onClick={() => setLinked(arrival)}>
                    {t`Connect`}
                  </Button>
                  <Button
                    variant="default"
                    aria-label={t`Dismiss ${name}`}
                    onClick={() => dismiss.mutate({ params: { arrivalId: arrival.id } })}
                  >
                    {t`Dismiss`}
                  </Button>
                </span>
              </li>
            ))}
        </ul>
      )}
      <Dialog
        opened={linked !== undefined}
        onClose={() => setLinked(undefined)}
        title={t`Connect with a user`}
        size={460}
      >
        {linked && <LinkForm arrival={linked} onDone={() => setLinked(undefined)} />}
      </Dialog>
    </SettingsSection>
  );
}

const linkForm = z.object({
  username: z
    .string()
    .trim()
    .min(1, t`Username is required`),
});

function LinkForm({ arrival, onDone }: { arrival: SsoArrival; onDone: () => void }) {
  const form = useForm({
    initialValues: { username: arrival.isNameTaken ? arrival.username : '' },
    validate: schemaResolver(linkForm, { sync: true }),
  });
  const { name, username, issuer } = arrival;
  const link = useAction(singleSignOn.link, { done: t`Connected`, failed: t`Failed to connect` });
  const submit = form.onSubmit((body) =>
    link.mutate(
      { params: { arrivalId: arrival.id }, body },
      { onSuccess: onDone, onError: (error) => form.setErrors(fieldErrorsOf(error)) },
    ),
  );
  return (
    <DialogForm verb={t`Connect`} action={link} onSubmit={submit} onCancel={onDone}>
      <p>
        <Trans>
          <strong>{name}</strong> ({username}) of {issuer} will sign in as this user, with all permissions of the user.
        </Trans>
      </p>
      <TextInput label={t`Username in this organization`} data-autofocus {...form.getInputProps('username')} />
    </DialogForm>
  );
}

const factsOf = ({ issuer, linkedBy, lastUsedAt }: UserIdentity): string => {
  const moment = formatMoment(lastUsedAt);
  return [new URL(issuer).host, linkedBy && t`connected by ${linkedBy}`, lastUsedAt && t`last signed in ${moment}`]
    .filter(Boolean)
    .join(' · ');
};

function DisconnectButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <Button variant="default" aria-label={t`Disconnect ${name}`} onClick={onClick}>
      {t`Disconnect`}
    </Button>
  );
}

function Identities() {
  const identities = useQuery(query(singleSignOn.identities, {}));
  const unlink = useAction(singleSignOn.unlink, { done: t`Disconnected`, failed: t`Failed to disconnect` });
  const confirmDisconnect = async ({ id, name: full }: UserIdentity) => {
    const name = isolateText(full);
    const agreed = await confirm({
      question: t`Disconnect ${name}?`,
      consequence: t`The user is signed out everywhere and cannot use single sign-on until connected again.`,
      verb: t`Disconnect`,
    });
    if (agreed) unlink.mutate({ params: { identityId: id } });
  };
  const { data, error } = identities;
  return (
    <SettingsSection title={t`Connected users`} about={t`Users who use single sign-on`}>
      {error && !data && (
        <ErrorState
          failed={t`Failed to load the connected users`}
          error={error}
          onRetry={() => void identities.refetch()}
        />
      )}
      {!error && !data && <Skeleton lines={2} />}
      {data?.length === 0 && (
        <EmptyState title={t`No connected users`} detail={t`Users appear here after their first single sign-on.`} />
      )}
      {data && data.length > 0 && (
        <ul className={styles.people} aria-label={t`Connected users`}>
          {data.map((identity) => (
            <li key={identity.id}>
              <span className={styles.who}>
                <strong>{identity.name}</strong> {identity.username}
                <small>{factsOf(identity)}</small>
              </span>
              <DisconnectButton name={identity.name} onClick={() => void confirmDisconnect(identity)} />
            </li>
          ))}
        </ul>
      )}
    </SettingsSection>
  );
}
