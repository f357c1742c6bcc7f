import { t } from '@lingui/core/macro';
import { Checkbox } from '@mantine/core';
import { groups } from '@radwork/contract/identity/groups';
import type { User } from '@radwork/contract/identity/users';
import { useState } from 'react';
import { errorMessageOf, useAction } from '#core/http/api.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from './users.module.css';

/** The groups of a user, and the limit to their studies. The limit applies at once, without saving the form. */
export function UserGroups({ user }: { user: User }) {
  const [isLimited, setLimited] = useState(user.isLimited);
  const limit = useAction(groups.setLimit, {
    done: t`Limit changed`,
    failed: t`Failed to change the limit`,
    refreshes: ['users', 'groups'],
  });
  const names = user.groups.map(({ name }) => name).join(', ');
  const isAdministrator = user.userType === 'ADMIN' || user.userType === 'SUPER_ADMIN';
  const change = async (next: boolean) => {
    if (!(await confirm(next ? limiting(user) : lifting(user)))) return;
    limit.mutate({ params: { id: user.id }, body: { isLimited: next } }, { onSuccess: () => setLimited(next) });
  };
  return (
    <section className={styles.access} aria-label={t`Groups`}>
      <h3>{t`Groups`}</h3>
      <p className="muted">{names || t`No groups`}</p>
      <Checkbox
        label={t`Sees only the studies of own groups`}
        description={isAdministrator ? t`Administrators always see all studies.` : undefined}
        checked={isLimited}
        disabled={isAdministrator || limit.isPending}
        onChange={(event) => void change(event.currentTarget.checked)}
      />
      {limit.error && <Notice tone="danger">{errorMessageOf(limit.error, t`Failed to change the limit`)}</Notice>}
    </section>
  );
}

const limiting = ({ name, groups: own }: User) => ({
  question: t`Limit ${name} to own groups?`,
  consequence: (
    <>
      <p>
        {own.length > 0
          ? t`From the next action on, ${name} sees only the studies of these groups.`
          : t`${name} is in no group and will see no studies.`}
      </p>
      <p>
        {own.length > 0
          ? t`Assignments of ${name} to other studies end. The users who made them are notified.`
          : t`All assignments of ${name} end. The users who made them are notified.`}
      </p>
    </>
  ),
  verb: t`Limit user`,
});

const lifting = ({ name }: User) => ({
  question: t`Show all studies to ${name}?`,
  consequence: <p>{t`From the next action on, ${name} sees every study of the organization.`}</p>,
  verb: t`Show all studies`,
});
