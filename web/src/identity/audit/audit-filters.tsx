import { t } from '@lingui/core/macro';
import { Autocomplete, Button, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { auditActions } from '@radwork/contract/audit-actions';
import { translatedLabel } from '@radwork/contract/core/translate';
import { audit, auditFilters } from '@radwork/contract/identity/audit';
import { auditOutcomes } from '@radwork/contract/identity/audit-outcomes';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { DayRange } from '#ui/forms/day-range.tsx';
import { FilterChoice, FilterForm } from '#ui/lists/filter-form.tsx';
import { fieldErrorsBy, useFilterForm } from '#ui/lists/use-filter-form.ts';
import type { AuditSearchInAddress } from './audit-search.ts';
import styles from './audit-filters.module.css';

const names = ['from', 'to', 'user', 'action', 'outcome', 'ip'] as const;
type FilterFields = Partial<Record<(typeof names)[number], string>>;
type Filter = Pick<AuditSearchInAddress, (typeof names)[number]>;

type Props = { filter: Filter; onFilter: (filter: Filter) => void; onSubmit: () => void };

const outcomeLabels = { SUCCESS: t`Succeeded`, FAILURE: t`Failed or rejected` } as const;

const actionChoices = Object.entries(auditActions).map(([group, actions]) => ({
  group: translatedLabel(group),
  items: Object.entries(actions).map(([value, label]) => ({ value, label: translatedLabel(label) })),
}));

/** Filters of the audit log: user, action, time, IP address and outcome. */
export function AuditFilters({ filter, onFilter, onSubmit }: Props) {
  const { typed, type, choose } = useFilterForm({ currentValues: asTyped(filter), filterOf, errorsIn, onFilter });
  const errors = errorsIn(typed);
  return (
    <FilterForm
      onSubmit={() => {
        choose();
        onSubmit();
      }}
    >
      <PersonField value={typed.user ?? ''} onType={(user) => type({ user })} onPick={(user) => choose({ user })} />
      <Select
        className={styles.action}
        aria-label={t`Action`}
        placeholder={t`Action`}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t`Any action` }}
        data={actionChoices}
        value={typed.action ?? null}
        onChange={(action) => choose({ action: action ?? '' })}
        nothingFoundMessage={t`No matching action`}
      />
      <DayRange
        from={{ label: t`From`, value: typed.from, error: errors['from'], onChange: (from) => type({ from }) }}
        to={{ label: t`To`, value: typed.to, error: errors['to'], onChange: (to) => type({ to }) }}
      />
      <FilterChoice
        label={t`Outcome`}
        value={typed.outcome}
        choices={auditOutcomes.map((value) => ({ value, label: outcomeLabels[value] }))}
        onChoose={(outcome) => choose({ outcome })}
      />
      <TextInput
        className={styles.address}
        aria-label={t`IP address`}
        placeholder={t`IP address`}
        autoComplete="off"
        value={typed.ip ?? ''}
        onChange={(event) => type({ ip: event.currentTarget.value })}
      />
      <Button type="submit" variant="default">
        {t`Search`}
      </Button>
    </FilterForm>
  );
}

/** Input for a user name with suggestions. Accepts any name, because the user may belong to another organization. */
function PersonField(props: { value: string; onType: (user: string) => void; onPick: (user: string) => void }) {
  const [q] = useDebouncedValue(props.value.trim(), 200);
  const { data } = useQuery({
    ...query(audit.people, { query: { q } }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });
  const labels = new Map(data?.map(({ username, name }) => [username, name]));
  return (
    <Autocomplete
      className={styles.person}
      aria-label={t`User`}
      placeholder={t`User`}
      value={props.value}
      data={[...labels.keys()]}
      // Shows all options that the server returns. The server also searches full names, which the options do not
      // contain.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <span>
          {labels.get(option.value)} <span className="muted">{option.value}</span>
        </span>
      )}
      onChange={props.onType}
      onOptionSubmit={props.onPick}
    />
  );
}

const asTyped = (filter: Filter): FilterFields =>
  Object.fromEntries(names.flatMap((name) => (filter[name] === undefined ? [] : [[name, filter[name]]])));

const filterOf = ({ from, to, user, action, outcome, ip }: FilterFields): Filter => ({
  from: from || undefined,
  to: to || undefined,
  user: user?.trim() || undefined,
  action: action || undefined,
  outcome: auditOutcomes.find((auditOutcome) => auditOutcome === outcome),
  ip: ip?.trim() || undefined,
});

const errorsIn = (typed: FilterFields) => fieldErrorsBy(auditFilters, typed);
