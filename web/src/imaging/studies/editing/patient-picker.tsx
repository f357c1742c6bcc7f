import { t } from '@lingui/core/macro';
import { Button, Input, Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type PatientRow, patients } from '@radwork/contract/imaging/patients';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query } from '#core/http/api.ts';
import { patientIdentityText } from '#ui/formats/patient-identity-text.ts';
import styles from './study-form.module.css';

type Props = {
  /** ID of the chosen patient; empty without a choice. */
  value: string;
  onChange: (id: string) => void;
  error?: SelectProps['error'];
};

/** Input to choose a patient by a part of the name or Patient ID. Shows identifying details of the chosen patient. */
export function PatientPicker({ value, onChange, error, ...input }: Props) {
  const selectedPatient = useQuery({
    ...query(patients.get, { params: { id: value } }),
    enabled: value !== '',
  });
  if (value === '') return <PatientSearch {...input} onChange={onChange} error={error} />;
  return (
    <Input.Wrapper
      label={t`Patient`}
      withAsterisk
      error={error ?? (selectedPatient.isError && t`Could not load patient`)}
    >
      <div className={styles.chosen}>
        {selectedPatient.data ? (
          <>
            <strong>{selectedPatient.data.patientName}</strong>
            <span className="muted">{patientIdentityText(selectedPatient.data)}</span>
          </>
        ) : (
          <span className="muted">{selectedPatient.isError ? t`Patient not found` : t`Loading…`}</span>
        )}
        <Button variant="default" size="compact-xs" onClick={() => onChange('')}>
          {t`Change`}
        </Button>
      </div>
    </Input.Wrapper>
  );
}

const mostOffered = 8;

function PatientSearch({ onChange, error, ...input }: Omit<Props, 'value'>) {
  const [typed, setTyped] = useState('');
  const [searchQuery] = useDebouncedValue(typed.trim(), 250);
  const found = useQuery({
    ...query(patients.list, { query: { searchQuery, size: mostOffered } }),
    enabled: searchQuery !== '',
  });
  const offered = searchQuery === '' ? [] : (found.data?.content ?? []);
  const byId = new Map(offered.map((patient) => [patient.id, patient]));
  return (
    <Select
      {...input}
      label={t`Patient`}
      withAsterisk
      searchable
      placeholder={t`Part of the name or ID`}
      error={error ?? (found.isError && t`Failed to fetch patients. Please try again.`)}
      value={null}
      data={offered.map(({ id, patientName }) => ({ value: id, label: patientName || t`No name` }))}
      // Shows all options that the server returns. The search on the server also finds patients whose label does not
      // contain the typed text.
      filter={({ options }) => options}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(id) => id && onChange(id)}
      nothingFoundMessage={nothingFound(searchQuery, found.isSuccess)}
      renderOption={({ option }) => <Option patient={byId.get(option.value)} />}
    />
  );
}

const nothingFound = (searchQuery: string, isSearched: boolean): string => {
  if (searchQuery === '') return t`Enter part of the name or ID`;
  return isSearched ? t`No patients found` : t`Searching…`;
};

function Option({ patient }: { patient: PatientRow | undefined }) {
  if (!patient) return null;
  return (
    <div className={styles.option}>
      {patient.patientName || t`No name`}
      <span>{patientIdentityText(patient)}</span>
    </div>
  );
}
