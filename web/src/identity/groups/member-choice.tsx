import { t } from '@lingui/core/macro';
import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { GroupMember } from '@radwork/contract/identity/groups';
import { users } from '@radwork/contract/identity/users';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { query } from '#core/http/api.ts';

type Member = Pick<GroupMember, 'id' | 'name' | 'username'>;

type Props = { chosen: Member[]; error: ReactNode; onChoose: (members: Member[]) => void };

/** Wait after typing before a search, in milliseconds. */
const pause = 200;

/** Chooses members by a search over the users of the organization. */
export function MemberChoice({ chosen, error, onChoose }: Props) {
  const [typed, setTyped] = useState('');
  const [words] = useDebouncedValue(typed.trim(), pause);
  const found = useQuery({
    ...query(users.search, { query: { query: words, active: 'true' } }),
    placeholderData: keepPreviousData,
  });
  const offered = (found.data ?? []).filter(({ userType }) => userType !== 'PATIENT');
  const known = new Map<string, Member>([...chosen, ...offered].map((user) => [user.id, user]));
  return (
    <MultiSelect
      label={t`Members`}
      placeholder={t`Name or username`}
      searchable
      clearable
      data={Array.from(known.values(), ({ id, name, username }) => ({ value: id, label: `${name} (${username})` }))}
      // Shows all options that the server returns. The server also searches e-mail addresses, which options do not show.
      filter={({ options }) => options}
      value={chosen.map(({ id }) => id)}
      error={error}
      onSearchChange={setTyped}
      onChange={(ids) => onChoose(ids.flatMap((id) => known.get(id) ?? []))}
      nothingFoundMessage={t`No other user`}
    />
  );
}
