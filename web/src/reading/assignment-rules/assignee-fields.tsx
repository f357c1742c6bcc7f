import { t } from '@lingui/core/macro';
import { NativeSelect, NumberInput, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { groups } from '@radwork/contract/identity/groups';
import { ruleAssigneeKindLabels, ruleAssigneeKinds } from '@radwork/contract/reading/assignment-rules';
import { workflow } from '@radwork/contract/reading/workflow';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { query } from '#core/http/api.ts';
import type { DraftRule } from './draft-rules.ts';

type Chosen = Pick<DraftRule, 'assignee' | 'assigneeName' | 'fault'>;

type Props = {
  rule: DraftRule;
  errors: Record<string, ReactNode>;
  onChange: (part: Partial<DraftRule>) => void;
};

/** Fields for the assignee of a rule and the maximum of open studies. */
export function AssigneeFields({ rule, errors, onChange }: Props) {
  const { kind } = rule.assignee;
  return (
    <>
      <NativeSelect
        label={t`Assign to`}
        data={ruleAssigneeKinds.map((value) => ({ value, label: ruleAssigneeKindLabels[value] }))}
        value={kind}
        onChange={({ currentTarget }) => {
          const chosen = ruleAssigneeKinds.find((value) => value === currentTarget.value) ?? kind;
          // Both kinds of groups offer the same groups.
          const isSameChoice = (chosen === 'USER') === (kind === 'USER');
          onChange(
            isSameChoice
              ? { assignee: { ...rule.assignee, kind: chosen } }
              : { assignee: { kind: chosen, id: null }, assigneeName: '', fault: null },
          );
        }}
      />
      {kind === 'USER' ? (
        <UserChoice rule={rule} error={errors.assignee} onChoose={onChange} />
      ) : (
        <GroupChoice rule={rule} error={errors.assignee} onChoose={onChange} />
      )}
      {kind !== 'GROUP' && (
        <NumberInput
          label={t`Maximum of open studies per user`}
          description={t`A user who has this many gets no further study by this rule. Empty for no maximum.`}
          min={1}
          max={999}
          allowDecimal={false}
          value={rule.mostOpen ?? ''}
          error={errors.mostOpen}
          onChange={(value) => onChange({ mostOpen: typeof value === 'number' && value >= 1 ? value : null })}
        />
      )}
    </>
  );
}

type ChoiceProps = { rule: DraftRule; error: ReactNode; onChoose: (chosen: Chosen) => void };

/** Wait after typing before a search, in milliseconds. */
const pause = 200;

function UserChoice({ rule: { assignee, assigneeName }, error, onChoose }: ChoiceProps) {
  const [typed, setTyped] = useState('');
  // The field shows the chosen name, which is no search.
  const [words] = useDebouncedValue(typed === assigneeName ? '' : typed.trim(), pause);
  const found = useQuery({
    ...query(workflow.assignable, { query: { active: 'true', query: words } }),
    placeholderData: keepPreviousData,
  });
  const known = new Map((found.data ?? []).map(({ id, name }) => [id, name]));
  if (assignee.id !== null && !known.has(assignee.id)) known.set(assignee.id, assigneeName);
  return (
    <Select
      label={t`User`}
      withAsterisk
      placeholder={t`Name or username`}
      searchable
      data={Array.from(known, ([value, label]) => ({ value, label }))}
      // Shows all options that the server returns. The server also searches usernames, which options do not show.
      filter={({ options }) => options}
      value={assignee.id}
      error={error ?? (found.error && t`Failed to load users`)}
      onSearchChange={setTyped}
      onChange={(id) =>
        onChoose({ assignee: { kind: 'USER', id }, assigneeName: known.get(id ?? '') ?? '', fault: null })
      }
      nothingFoundMessage={t`No other user`}
    />
  );
}

function GroupChoice({ rule: { assignee }, error, onChoose }: ChoiceProps) {
  const offered = useQuery(query(groups.list, {}));
  const names = new Map((offered.data ?? []).map(({ id, name }) => [id, name]));
  return (
    <Select
      label={t`Group`}
      withAsterisk
      searchable
      data={Array.from(names, ([value, label]) => ({ value, label }))}
      value={assignee.id}
      error={error ?? (offered.error && t`Failed to load groups`)}
      onChange={(id) =>
        onChoose({ assignee: { ...assignee, id }, assigneeName: names.get(id ?? '') ?? '', fault: null })
      }
      nothingFoundMessage={t`No group. Create groups on the screen Groups.`}
    />
  );
}
