import { t } from '@lingui/core/macro';
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { builtInRoleNames } from '@radwork/contract/core/access';
import { type AssignableUser, workflow } from '@radwork/contract/reading/workflow';
import { IconX } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { query } from '#core/http/api.ts';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import styles from './dialogs.module.css';

type Kind = 'RADIOLOGIST' | 'REFERRING_PHYSICIAN' | '';

const kinds: { value: Kind; label: string }[] = [
  { value: '', label: t`All users` },
  { value: 'RADIOLOGIST', label: t`Radiologists` },
  { value: 'REFERRING_PHYSICIAN', label: t`Referring physicians` },
];

const kindOf = (text: string): Kind => kinds.find(({ value }) => value === text)?.value ?? '';

/** Wait after typing before a search, in milliseconds. */
const pause = 300;

type Props = {
  /** Users to whom this study is already assigned are left out. Undefined when several studies are assigned at once. */
  studyId?: string;
  chosen: AssignableUser[];
  onChoose: (users: AssignableUser[]) => void;
  error: ReactNode;
};

/** Searches for users and chooses them. Chosen users stay in the list during the next search. */
export function AssigneeChoice({ studyId, chosen, onChoose, error }: Props) {
  const [text, setText] = useState('');
  const [kind, setKind] = useState<Kind>('');
  const [words] = useDebouncedValue(text.trim(), pause);
  const label = useId();
  const problem = useId();
  const without = (user: AssignableUser) => chosen.filter(({ id }) => id !== user.id);
  return (
    <div role="group" aria-labelledby={label} aria-describedby={error ? problem : undefined}>
      <div className={styles.search}>
        <TextInput
          type="search"
          label={<span id={label}>{t`Users`}</span>}
          aria-label={t`Search users`}
          withAsterisk
          placeholder={t`Name, username, specialization or department`}
          value={text}
          data-autofocus
          onChange={(event) => setText(event.currentTarget.value)}
          // Prevents Enter from submitting the form.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
        <NativeSelect
          label={t`Show`}
          size="xs"
          data={kinds}
          value={kind}
          onChange={(event) => setKind(kindOf(event.currentTarget.value))}
        />
      </div>
      <Found
        search={{ ...(studyId && { studyId }), query: words, ...(kind && { userType: kind }) }}
        chosen={chosen}
        isWrong={Boolean(error)}
        onToggle={(user) => {
          const others = without(user);
          onChoose(others.length < chosen.length ? others : [...chosen, user]);
        }}
      />
      {error && (
        <p id={problem} className={styles.error} role="alert">
          {error}
        </p>
      )}
      <div className={styles.chosen} aria-live="polite">
        {chosen.length === 0 && t`No users selected`}
        {chosen.map((user) => (
          <Button
            key={user.id}
            variant="default"
            size="compact-xs"
            rightSection={<IconX size={12} stroke={2} aria-hidden />}
            aria-label={removeLabel(user)}
            onClick={() => onChoose(without(user))}
          >
            {user.name}
          </Button>
        ))}
      </div>
    </div>
  );
}

const removeLabel = ({ name }: AssignableUser): string => t`Remove ${name}`;

type FoundProps = {
  search: { studyId?: string; query: string; userType?: Exclude<Kind, ''> };
  chosen: AssignableUser[];
  isWrong: boolean;
  onToggle: (user: AssignableUser) => void;
};

function Found({ search, chosen, isWrong, onToggle }: FoundProps) {
  const usersQuery = useQuery({
    ...query(workflow.assignable, { query: { active: 'true', ...search } }),
    placeholderData: keepPreviousData,
  });
  if (usersQuery.error) {
    return (
      <ErrorState
        failed={t`Error loading available users`}
        error={usersQuery.error}
        onRetry={() => void usersQuery.refetch()}
      />
    );
  }
  return (
    <ul className={styles.people} data-wrong={isWrong || undefined} aria-busy={usersQuery.isPending}>
      {usersQuery.isPending && (
        <li className={styles.searching}>
          <Skeleton lines={4} label={t`Loading users`} />
        </li>
      )}
      {usersQuery.data?.length === 0 && (
        <li className={styles.searching}>
          <NoUserFound isSearched={search.query !== '' || search.userType !== undefined} />
        </li>
      )}
      {usersQuery.data?.map((user) => (
        <Person
          key={user.id}
          user={user}
          isChosen={chosen.some(({ id }) => id === user.id)}
          onToggle={() => onToggle(user)}
        />
      ))}
    </ul>
  );
}

function NoUserFound({ isSearched }: { isSearched: boolean }) {
  return (
    <p className="muted">
      {isSearched
        ? t`No available users match your search.`
        : t`No available users found. All users may already be assigned.`}
    </p>
  );
}

type PersonProps = { user: AssignableUser; isChosen: boolean; onToggle: () => void };

function Person({ user, isChosen, onToggle }: PersonProps) {
  const { username, name, userType, specialization, department } = user;
  return (
    <li>
      <label className={styles.person}>
        <Checkbox size="xs" checked={isChosen} onChange={onToggle} aria-label={`${name}, ${username}`} />
        <span>
          <span className={styles.name}>{name}</span>
          <span className={styles.about}>{[username, specialization, department].filter(Boolean).join(' · ')}</span>
        </span>
        <span className={styles.about}>{builtInRoleNames[userType]}</span>
      </label>
    </li>
  );
}
