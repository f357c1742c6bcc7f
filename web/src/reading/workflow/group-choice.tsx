import { t } from '@lingui/core/macro';
import { MultiSelect } from '@mantine/core';
import { groups } from '@radwork/contract/identity/groups';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { query } from '#core/http/api.ts';

type Props = { chosen: string[]; onChoose: (groupIds: string[]) => void; error: ReactNode };

/** Chooses groups by their ids. Absent in an organization without groups. */
export function GroupChoice({ chosen, onChoose, error }: Props) {
  const offered = useQuery(query(groups.list, {})).data ?? [];
  if (offered.length === 0) return null;
  return (
    <MultiSelect
      label={t`Groups`}
      data={offered.map(({ id, name }) => ({ value: id, label: name }))}
      searchable
      clearable
      comboboxProps={{ withinPortal: false }}
      value={chosen}
      onChange={onChoose}
      error={error}
    />
  );
}
