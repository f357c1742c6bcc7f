import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { builtInRoleNames, userTypes } from '@radwork/contract/core/access';
import { users } from '@radwork/contract/identity/users';
import { useQuery } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { query } from '#core/http/api.ts';
import { FilterChoice, FilterForm, SearchField } from '#ui/lists/filter-form.tsx';
import { useFilterForm } from '#ui/lists/use-filter-form.ts';
import { type UsersSearch, usersSearch } from './users-search.ts';

type Filter = Pick<UsersSearch, 'query' | 'userType' | 'active' | 'roleId'>;
type FilterFields = { query?: string; userType?: string; active?: string; roleId?: string };

type Props = {
  filter: Filter;
  onFilter: (filter: Filter) => void;
  /** Called when the user presses Enter or the search button, even without a change. */
  onSubmit: () => void;
  textField: RefObject<HTMLInputElement | null>;
};

/** Filters of the list of users. */
export function UserFilters({ filter, onFilter, onSubmit, textField }: Props) {
  const roles = useQuery(query(users.roleChoices, {}));
  const { typed, type, choose } = useFilterForm<FilterFields, Filter>({
    currentValues: typedOf(filter),
    filterOf,
    errorsIn: () => ({}),
    onFilter,
  });
  return (
    <FilterForm
      onSubmit={() => {
        choose();
        onSubmit();
      }}
    >
      <SearchField
        ref={textField}
        aria-label={t`Search users`}
        placeholder={t`Name, username or e-mail`}
        value={typed.query ?? ''}
        onChange={(event) => type({ query: event.currentTarget.value })}
      />
      <FilterChoice
        label={t`Type`}
        any={t`Any type`}
        value={typed.userType}
        choices={userTypes.map((value) => ({ value, label: builtInRoleNames[value] }))}
        onChoose={(userType) => choose({ userType })}
      />
      <FilterChoice
        label={t`Role`}
        any={t`Any role`}
        value={typed.roleId}
        choices={(roles.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        onChoose={(roleId) => choose({ roleId })}
      />
      <FilterChoice
        label={t`Active`}
        any={t`Active or not`}
        value={typed.active}
        choices={[
          { value: 'true', label: t`Active` },
          { value: 'false', label: t`Deactivated` },
        ]}
        onChoose={(active) => choose({ active })}
      />
      <Button type="submit" variant="default">
        {t`Search`}
      </Button>
    </FilterForm>
  );
}

const names = ['query', 'userType', 'active', 'roleId'] as const;

const typedOf = (filter: Filter): FilterFields =>
  Object.fromEntries(names.flatMap((name) => (filter[name] === undefined ? [] : [[name, filter[name]]])));

const filterOf = (fields: FilterFields): Filter => {
  const { query: words, userType, active, roleId } = usersSearch.parse(fields);
  return { query: words, userType, active, roleId };
};
