import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { patients, type PatientRow } from '@radwork/contract/imaging/patients';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query, errorMessageOf } from '#core/http/api.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { patientIdentityText } from '#ui/formats/patient-identity-text.ts';
import styles from './patient-picker.module.css';

/** Number of patients offered. To find other patients, users type more letters. */
const offered = 8;

/** Pause in typing before the search, in milliseconds. */
const pause = 300;

type Props = {
  label: string;
  /** ID of a patient who is left out of the results. */
  except: string;
  onPick: (patient: PatientRow) => void;
};

/** Input to find another patient by name or Patient ID. */
export function PatientPicker({ label, except, onPick }: Props) {
  const [text, setText] = useState('');
  const [searchQuery] = useDebouncedValue(text.trim(), pause);
  const { data, error } = useQuery({
    ...query(patients.list, { query: { searchQuery, size: offered + 1 } }),
    enabled: searchQuery !== '',
    placeholderData: keepPreviousData,
  });
  const others = data?.content.filter(({ id }) => id !== except).slice(0, offered) ?? [];
  return (
    <div className={styles.picker}>
      <TextInput
        type="search"
        label={label}
        placeholder={t`Name or patient ID`}
        data-autofocus
        leftSection={<IconSearch size={15} stroke={1.6} aria-hidden />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {error && <Notice tone="danger">{errorMessageOf(error, t`Failed to fetch patients. Please try again.`)}</Notice>}
      {searchQuery !== '' && (
        <ul className={styles.results} aria-label={t`Patients found`}>
          {others.map((patient) => (
            <li key={patient.id}>
              <button type="button" className={styles.result} onClick={() => onPick(patient)}>
                <strong>{patient.patientName || t`No name`}</strong>
                <span>{patientIdentityText(patient)}</span>
              </button>
            </li>
          ))}
          {data && others.length === 0 && <li className="muted">{t`No other patients found`}</li>}
        </ul>
      )}
    </div>
  );
}
