import { t } from '@lingui/core/macro';
import { Button, MultiSelect, NativeSelect, TagsInput, TextInput } from '@mantine/core';
import { modalities } from '@radwork/contract/core/modalities';
import { priorities } from '@radwork/contract/core/priorities';
import {
  callerAsAssignee,
  type ConditionField,
  conditionFields,
  conditionOperators,
  type ConditionOperator,
  readConditions,
  type StudyCondition,
  textOfConditions,
  valuesTakenBy,
} from '@radwork/contract/imaging/study-conditions';
import { type FilterChoices, studies } from '@radwork/contract/imaging/studies';
import { studyStatuses } from '@radwork/contract/imaging/study-status';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { query } from '#core/http/api.ts';
import { useFirstFocus } from '#ui/dialogs/use-first-focus.ts';
import { conditionFieldLabels, operatorLabel, type Person, valueLabel } from './condition-labels.ts';
import styles from './condition-chips.module.css';

type Props = { people: readonly Person[]; onAdd: (condition: StudyCondition) => void };

/** Fields of one more condition. */
export function ConditionFields({ people, onAdd }: Props) {
  const form = useFirstFocus();
  const [field, setField] = useState<ConditionField>('modality');
  const [operator, setOperator] = useState<ConditionOperator>('is');
  const [values, setValues] = useState<string[]>([]);
  const [isMissing, setMissing] = useState(false);
  const operators: readonly ConditionOperator[] = conditionOperators[field];
  const chooseField = (next: ConditionField) => {
    setField(next);
    setOperator(conditionOperators[next][0]);
    setValues([]);
    setMissing(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    // The contract decides whether the condition is complete.
    const [condition] = readConditions(
      textOfConditions([{ field, operator, values: valuesTakenBy[operator] === 'none' ? [] : values }]),
    );
    setMissing(!condition);
    if (condition) onAdd(condition);
  };
  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.pair}>
        <NativeSelect
          label={t`Field`}
          data-autofocus
          data={conditionFields.map((value) => ({ value, label: conditionFieldLabels[value] }))}
          value={field}
          onChange={(event) => {
            const next = conditionFields.find((candidate) => candidate === event.currentTarget.value);
            if (next) chooseField(next);
          }}
        />
        <NativeSelect
          label={t`Condition`}
          data={operators.map((value) => ({ value, label: operatorLabel(field, value) }))}
          value={operator}
          onChange={(event) => {
            const next = operators.find((candidate) => candidate === event.currentTarget.value);
            if (next) setOperator(next);
          }}
        />
      </div>
      <Values
        field={field}
        operator={operator}
        values={values}
        people={people}
        error={isMissing ? messageFor(operator) : undefined}
        onChange={setValues}
      />
      <Button type="submit">{t`Add filter`}</Button>
    </form>
  );
}

const messageFor = (operator: ConditionOperator): string =>
  valuesTakenBy[operator] === 'number' ? t`Enter a number from 1 to 3,650` : t`Choose at least one value`;

type ValuesProps = Pick<Props, 'people'> & {
  field: ConditionField;
  operator: ConditionOperator;
  values: string[];
  error: string | undefined;
  onChange: (values: string[]) => void;
};

function Values({ field, operator, values, people, error, onChange }: ValuesProps) {
  const choices = useChoices(field, people);
  const takes = valuesTakenBy[operator];
  if (takes === 'none') return null;
  if (takes === 'number') {
    return (
      <TextInput
        type="number"
        min={1}
        max={3650}
        label={operator === 'within' ? t`Hours` : t`Days`}
        value={values[0] ?? ''}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value === '' ? [] : [event.currentTarget.value])}
      />
    );
  }
  const label = t`Values`;
  // Names of physicians are typed; so are body parts and devices that the list does not have.
  if (!choices || field === 'bodyPart' || field === 'device') {
    return (
      <TagsInput
        label={label}
        data={choices?.map(({ value }) => value) ?? []}
        value={values}
        error={error}
        clearable
        acceptValueOnBlur
        comboboxProps={{ withinPortal: false }}
        onChange={onChange}
      />
    );
  }
  return (
    <MultiSelect
      label={label}
      data={choices}
      value={values}
      error={error}
      searchable
      clearable
      comboboxProps={{ withinPortal: false }}
      onChange={onChange}
    />
  );
}

type Choice = { value: string; label: string };

/** Returns the values of a field that a user can choose. Undefined if the user types them. */
const useChoices = (field: ConditionField, people: readonly Person[]): Choice[] | undefined => {
  const needsStored = field === 'bodyPart' || field === 'device';
  const stored = useQuery({ ...query(studies.filterChoices, {}), enabled: needsStored, staleTime: 300_000 });
  const values = valuesOf(field, people, stored.data);
  return values?.map((value) => ({ value, label: valueLabel(field, value, people) }));
};

const valuesOf = (
  field: ConditionField,
  people: readonly Person[],
  stored: FilterChoices | undefined,
): readonly string[] | undefined => {
  switch (field) {
    case 'modality':
      return modalities;
    case 'status':
      return studyStatuses;
    case 'priority':
      return priorities;
    case 'assignee':
      return [callerAsAssignee, ...people.map(({ id }) => id)];
    case 'bodyPart':
      return stored?.bodyParts ?? [];
    case 'device':
      return stored?.devices ?? [];
    default:
      return undefined;
  }
};
