import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { account } from '@radwork/contract/identity/accounts';
import { builtInRoleNames } from '@radwork/contract/core/access';
import { tenants } from '@radwork/contract/identity/tenants';
import { type User, users } from '@radwork/contract/identity/users';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query, useAction, errorMessageOf } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { isolateText } from '#ui/formats/isolate-text.ts';
import { SigningHold } from './signing-hold.tsx';
import { UserGroups } from './user-groups.tsx';
import type { CreatedPasswordLink } from './password-link-dialog.tsx';
import styles from './users.module.css';

type Props = { user: User; onClose: () => void; onLink: (link: CreatedPasswordLink) => void };

/** Actions on the sign-in of a user. They apply at once, without saving the form. */
export function UserAccess(props: Props) {
  return (
    <>
      {props.user.isHeld && <SigningHold user={props.user} />}
      <UserGroups user={props.user} />
      <SecondFactor user={props.user} />
      {may(users.setTenant) && <Move {...props} />}
    </>
  );
}

function SecondFactor({ user }: { user: User }) {
  const { name } = user;
  const reset = useAction(account.resetSecondFactor, {
    done: t`Second factor of ${name} reset`,
    failed: t`Failed to reset the second factor`,
    refreshes: ['users'],
  });
  const confirmReset = async () => {
    if (await confirm(resetting(user))) reset.mutate({ params: { id: user.id } });
  };
  return (
    <section className={styles.access} aria-label={t`Second factor`}>
      <h3>{t`Second factor`}</h3>
      <div className={styles.beside}>
        <p className="muted">
          {user.hasSecondFactor
            ? t`On. Sign-in requires a code after the password.`
            : t`Off. Only the user can set up a second factor, under My account.`}
        </p>
        {user.hasSecondFactor && (
          <Button variant="default" loading={reset.isPending} onClick={() => void confirmReset()}>
            {t`Reset second factor`}
          </Button>
        )}
      </div>
      {reset.error && (
        <Notice tone="danger">{errorMessageOf(reset.error, t`Failed to reset the second factor`)}</Notice>
      )}
    </section>
  );
}

const resetting = ({ name }: User) => ({
  question: t`Reset the second factor of ${name}?`,
  consequence: (
    <p>
      {t`Check that the user asked for this. The authenticator app and recovery codes stop working permanently. Until the user sets up another second factor, the password alone opens the account. The user is notified.`}
    </p>
  ),
  verb: t`Reset second factor`,
});

function Move({ user, onClose, onLink }: Props) {
  const organization = user.tenant.name;
  const [chosen, setChosen] = useState<{ value: string; label: string } | null>(null);
  const move = useAction(users.setTenant, { failed: t`Failed to move the user` });
  const confirmMove = async () => {
    if (!chosen || !(await confirm(moving(user, chosen.label)))) return;
    move.mutate(
      { params: { id: user.id }, body: { tenantId: chosen.value } },
      {
        onSuccess: ({ user: { username }, invitation }) => {
          onClose();
          if (invitation) onLink({ ...invitation, username, isInvitation: true });
        },
      },
    );
  };
  return (
    <section className={styles.access} aria-label={t`Organization`}>
      <h3>{t`Organization`}</h3>
      <p className="muted">{t`${organization}. Only a user without records can be moved to another organization.`}</p>
      <div className={styles.beside}>
        <OrganizationChoice leftOut={user.tenant.id} onChoose={setChosen} />
        <Button variant="default" disabled={!chosen} loading={move.isPending} onClick={() => void confirmMove()}>
          {t`Move`}
        </Button>
      </div>
      {move.error && <Notice tone="danger">{errorMessageOf(move.error, t`Failed to move the user`)}</Notice>}
    </section>
  );
}

const moving = (user: User, label: string) => {
  const [name, to, from, role] = [
    isolateText(user.name),
    isolateText(label),
    user.tenant.name,
    builtInRoleNames[user.userType],
  ] as const;
  return {
    question: t`Move ${name} to ${to}?`,
    consequence: (
      <p>
        <Trans>
          {name} leaves {from} and is signed out. Password, second factor and roles are lost. In {to}, the user has the
          role {role} and sets a password with a new invitation.
        </Trans>
      </p>
    ),
    verb: t`Move user`,
  };
};

type ChoiceProps = { leftOut: string; onChoose: (chosen: { value: string; label: string } | null) => void };

/** Input to choose an active organization by name. */
function OrganizationChoice({ leftOut, onChoose }: ChoiceProps) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [words] = useDebouncedValue(typed.trim(), 200);
  const { data } = useQuery({
    ...query(tenants.list, { query: { query: words || undefined, status: 'ACTIVE', page: 0, size: 50 } }),
    placeholderData: keepPreviousData,
  });
  const offered = (data?.content ?? []).filter(({ id }) => id !== leftOut);
  return (
    <Select
      className={styles.address ?? ''}
      aria-label={t`Other organization`}
      placeholder={t`Other organization`}
      searchable
      data={offered.map(({ id, name }) => ({ value: id, label: name }))}
      // Shows all options that the server returns. The server also searches subdomains, which the options do not
      // contain.
      filter={({ options }) => options}
      value={chosen}
      onSearchChange={setTyped}
      onChange={(value, option) => {
        setChosen(value);
        onChoose(value === null ? null : option);
      }}
      nothingFoundMessage={t`No other organization`}
    />
  );
}
