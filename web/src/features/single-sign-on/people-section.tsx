import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type SsoArrival, singleSignOn, type UserIdentity } from '@radwork/contract/single-sign-on';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { query, useAction } from '#core/api.ts';
import { may } from '#core/session.ts';
import { confirm } from '#ui/confirm.tsx';
import { DialogForm } from '#ui/dialog-form.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { faultsIn } from '#ui/form-faults.ts';
import { formatMoment } from '#ui/formats.ts';
import { EmptyState, ErrorState, Skeleton } from '#ui/states.tsx';
import { SettingsSection } from '#ui/settings-section.tsx';
import { typed } from '#ui/typed.ts';
import styles from './single-sign-on.module.css';

/** Sign-ins without an account here, and users linked to the provider. */
export function PeopleSections() {
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
  const dismiss = useAction(singleSignOn.dismiss, { failed: t`Failed to forget who came` });
  const { data, error } = arrivals;
  return (
    <SettingsSection
      title={t`Not let in`}
      about={t`People of the provider whom no user here is connected with. Connect somebody only when you know that it is them: they then sign in as that user.`}
    >
      {error && !data && (
        <ErrorState failed={t`Failed to load who came`} error={error} onRetry={() => void arrivals.refetch()} />
      )}
      {!error && !data && <Skeleton lines={2} />}
      {data?.length === 0 && <p className={styles.hint}>{t`Nobody has been refused in the last 30 days.`}</p>}
      {data && data.length > 0 && (
        <ul className={styles.people} aria-label={t`Not let in`}>
          {data.map((arrival) => (
            <li key={arrival.id}>
              <span className={styles.who}>
                <strong>{arrival.name}</strong> {arrival.username}
                <small>
                  {arrival.email && `${arrival.email} · `}
                  {formatMoment(arrival.lastAt)}
                  {arrival.isNameTaken && t` · a user of this name exists here`}
                </small>
              </span>
              <span className={styles.line}>
                <Button variant="default" aria-label={t`Connect ${arrival.name}`} onClick={() => setLinked(arrival)}>
                  {t`Connect`}
                </Button>
                <Button
                  variant="default"
                  aria-label={t`Forget ${arrival.name}`}
                  onClick={() => dismiss.mutate({ params: { arrivalId: arrival.id } })}
                >
                  {t`Forget`}
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

const linkForm = z.object({ username: z.string().trim().min(1, 'Username is required') });

function LinkForm({ arrival, onDone }: { arrival: SsoArrival; onDone: () => void }) {
  const form = useForm({
    initialValues: { username: arrival.isNameTaken ? arrival.username : '' },
    validate: schemaResolver(linkForm, { sync: true }),
  });
  const link = useAction(singleSignOn.link, { done: t`Connected`, failed: t`Failed to connect` });
  const submit = form.onSubmit((body) =>
    link.mutate(
      { params: { arrivalId: arrival.id }, body },
      { onSuccess: onDone, onError: (error) => form.setErrors(faultsIn(error)) },
    ),
  );
  return (
    <DialogForm verb={t`Connect`} action={link} onSubmit={submit} onCancel={onDone}>
      <p>
        <Trans>
          <strong>{arrival.name}</strong> ({arrival.username}) of {arrival.issuer} will sign in as this user, with all
          that the user may see and do.
        </Trans>
      </p>
      <TextInput label={t`Username here`} data-autofocus {...form.getInputProps('username')} />
    </DialogForm>
  );
}

function Identities() {
  const identities = useQuery(query(singleSignOn.identities, {}));
  const unlink = useAction(singleSignOn.unlink, { done: t`Disconnected`, failed: t`Failed to disconnect` });
  const ask = async ({ id, name }: UserIdentity) => {
    const agreed = await confirm({
      question: t`Disconnect ${typed(name)}?`,
      consequence: t`They are signed out everywhere, and cannot sign in at the provider until they are connected again.`,
      verb: t`Disconnect`,
    });
    if (agreed) unlink.mutate({ params: { identityId: id } });
  };
  const { data, error } = identities;
  return (
    <SettingsSection title={t`Connected`} about={t`Users who sign in at the provider.`}>
      {error && !data && (
        <ErrorState
          failed={t`Failed to load who is connected`}
          error={error}
          onRetry={() => void identities.refetch()}
        />
      )}
      {!error && !data && <Skeleton lines={2} />}
      {data?.length === 0 && (
        <EmptyState title={t`Nobody is connected yet`} detail={t`Whoever signs in at the provider appears here.`} />
      )}
      {data && data.length > 0 && (
        <ul className={styles.people} aria-label={t`Connected`}>
          {data.map((identity) => (
            <li key={identity.id}>
              <span className={styles.who}>
                <strong>{identity.name}</strong> {identity.username}
                <small>
                  {new URL(identity.issuer).host}
                  {identity.linkedBy && t` · connected by ${identity.linkedBy}`}
                  {identity.lastUsedAt && t` · last signed in ${formatMoment(identity.lastUsedAt)}`}
                </small>
              </span>
              <Button variant="default" aria-label={t`Disconnect ${identity.name}`} onClick={() => void ask(identity)}>
                {t`Disconnect`}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </SettingsSection>
  );
}
