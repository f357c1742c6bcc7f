import { t } from '@lingui/core/macro';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { ages, genderLabels, genders, patientSearch, patientSortFields } from '@radwork/contract/imaging/patients';
import type { RefObject } from 'react';
import { DayRange } from '#ui/forms/day-range.tsx';
import { FilterChoice, FilterForm, SearchField } from '#ui/lists/filter-form.tsx';
import { fieldErrorsBy, useFilterForm } from '#ui/lists/use-filter-form.ts';
import styles from './patient-filters.module.css';
import type { PatientsSearch } from './patients-search.ts';

const filterNames = ['searchQuery', 'gender', 'minAge', 'maxAge', 'fromDate', 'toDate'] as const;

type FilterFields = Partial<Record<(typeof filterNames)[number], string>>;

type Filter = Pick<PatientsSearch, (typeof filterNames)[number]>;

type Props = {
  filter: Filter;
  sort: string;
  onFilter: (filter: Filter) => void;
  onSort: (sort: string) => void;
  /** Called when the user submits the search, even without a change. */
  onSubmit: () => void;
  textField: RefObject<HTMLInputElement | null>;
};

const sortNames: Record<(typeof patientSortFields)[number], [ascending: string, descending: string]> = {
  patientName: [t`Name, A to Z`, t`Name, Z to A`],
  patientId: [t`Patient ID, ascending`, t`Patient ID, descending`],
  gender: [t`Gender, F to U`, t`Gender, U to F`],
  dateOfBirth: [t`Age, oldest first`, t`Age, youngest first`],
  createdDate: [t`Created, oldest first`, t`Created, newest first`],
  lastStudyDate: [t`Last study, oldest first`, t`Last study, newest first`],
};

const sortChoices = patientSortFields.flatMap((field) => [
  { value: `${field},asc`, label: sortNames[field][0] },
  { value: `${field},desc`, label: sortNames[field][1] },
]);

/** Filters of the patient list. Typed text applies after a pause; choices apply at once. */
export function PatientFilters({ filter, sort, onFilter, onSort, onSubmit, textField }: Props) {
  const { typed, type, choose } = useFilterForm({ currentValues: asTyped(filter), filterOf, errorsIn, onFilter });
  const errors = errorsIn(typed);
  return (
    <FilterForm
      onSubmit={() => {
        choose();
        onSubmit();
      }}
    >
      <SearchField
        ref={textField}
        aria-label={t`Search patients`}
        placeholder={t`Search patients...`}
        value={typed.searchQuery ?? ''}
        onChange={(event) => type({ searchQuery: event.currentTarget.value })}
      />
      <FilterChoice
        label={t`Gender`}
        value={typed.gender}
        choices={genders.filter((code) => code !== 'U').map((code) => ({ value: code, label: genderLabels[code] }))}
        onChoose={(gender) => choose({ gender })}
      />
      <div className={styles.ages} role="group" aria-label={t`Age`}>
        <span aria-hidden>{t`Age`}</span>
        <AgeInput
          label={t`From age`}
          value={typed.minAge}
          none={ages.least}
          onType={(minAge) => type({ minAge })}
          error={errors.minAge}
        />
        <span aria-hidden>–</span>
        <AgeInput
          label={t`To age`}
          value={typed.maxAge}
          none={ages.most}
          onType={(maxAge) => type({ maxAge })}
          error={errors.maxAge}
        />
      </div>
      <DayRange
        from={{
          label: t`Study from`,
          value: typed.fromDate,
          error: errors.fromDate,
          onChange: (fromDate) => type({ fromDate }),
        }}
        to={{ label: t`Study to`, value: typed.toDate, error: errors.toDate, onChange: (toDate) => type({ toDate }) }}
      />
      <NativeSelect
        aria-label={t`Sort`}
        className={styles.sort}
        value={sort}
        data={sortChoices}
        onChange={(event) => onSort(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        {t`Search`}
      </Button>
    </FilterForm>
  );
}

type AgeProps = {
  label: string;
  value: string | undefined;
  /** Age that sets no limit. */
  none: number;
  onType: (text: string) => void;
  error: string | undefined;
};

/** Field for an age in years. Its default value sets no limit. */
function AgeInput({ label, value, none, onType, error }: AgeProps) {
  return (
    <TextInput
      className={styles.age}
      aria-label={label}
      inputMode="numeric"
      autoComplete="off"
      value={value ?? String(none)}
      error={error}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  );
}

const asTyped = (filter: Filter): FilterFields =>
  Object.fromEntries(filterNames.flatMap((name) => (filter[name] === undefined ? [] : [[name, String(filter[name])]])));

/** Returns the typed filters without ages that set no limit. */
const filterOf = ({ searchQuery, gender, minAge, maxAge, fromDate, toDate }: FilterFields): Filter => ({
  searchQuery: searchQuery || undefined,
  gender: genders.find((code) => code === gender),
  minAge: limitOf(minAge, ages.least),
  maxAge: limitOf(maxAge, ages.most),
  fromDate: fromDate || undefined,
  toDate: toDate || undefined,
});

const limitOf = (text: string | undefined, none: number): number | undefined =>
  !text || Number(text) === none ? undefined : Number(text);

const errorsIn = (fields: FilterFields) => fieldErrorsBy(patientSearch, fields);
