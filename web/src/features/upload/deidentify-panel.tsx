import { Button, Switch, TextInput } from '@mantine/core';
import type { Pseudonym } from '@radwork/dicom/deidentify';
import { memo } from 'react';
import { Notice } from '#ui/notice.tsx';
import { saveCsv } from './save-csv.ts';
import { type DeidentificationState, isIdTaken, mappingCsv, pseudonymProblem } from './deidentification.ts';
import styles from './deidentify-panel.module.css';
import type { Patient } from './study-groups.ts';
import type { UploadItem } from './upload-item.ts';

type Props = {
  state: DeidentificationState;
  items: readonly UploadItem[];
  patients: readonly Patient[];
  /** Something was sent already: the rest has to go the same way. */
  isLocked: boolean;
  onSwitch: (isOn: boolean) => void;
  onRename: (patientKey: string, pseudonym: Pseudonym) => void;
  onShowChanges: () => void;
};

const nobody: Pseudonym = { patientName: '', patientId: '' };

/** Whether the files are de-identified on their way, who the patients become, and what the rules cannot do. */
export function DeidentifyPanel({ state, items, patients, isLocked, onSwitch, onRename, onShowChanges }: Props) {
  return (
    <section className={styles.panel} aria-label="De-identification">
      <Switch
        label="De-identify before sending"
        description="By the basic profile of DICOM (PS3.15 Annex E), in this browser"
        checked={state.isOn}
        disabled={isLocked}
        onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}
      />
      {state.isOn && (
        <>
          {!isLocked &&
            patients.map((patient) => (
              <PatientFields
                key={patient.patientKey}
                patient={patient}
                pseudonym={state.pseudonyms.get(patient.patientKey) ?? nobody}
                isTaken={isIdTaken(patient.patientKey, state.pseudonyms)}
                onChange={(pseudonym) => onRename(patient.patientKey, pseudonym)}
              />
            ))}
          <Limits items={items} />
          <div className={styles.buttons}>
            <Button variant="default" size="compact-sm" onClick={onShowChanges}>
              What is changed
            </Button>
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => saveCsv('patients-and-new-names.csv', mappingCsv(patients, state.pseudonyms))}
            >
              Save list of names
            </Button>
          </div>
          <p className={styles.hint}>
            Only the saved list leads back to the patients: it is not sent, and gone when this page is left.
          </p>
        </>
      )}
    </section>
  );
}

type FieldsProps = {
  patient: Patient;
  pseudonym: Pseudonym;
  isTaken: boolean;
  onChange: (pseudonym: Pseudonym) => void;
};

const nameOf = ({ patientName, patientID, study }: Patient) => {
  const name = patientName || patientID || 'Patient without a name';
  return study ? `${name}, study ${study.studyDate || study.studyInstanceUID}` : name;
};

function PatientFields({ patient, pseudonym: { patientName, patientId }, isTaken, onChange }: FieldsProps) {
  const who = nameOf(patient);
  return (
    <fieldset className={styles.patient}>
      <legend>{who}</legend>
      <TextInput
        label="New name"
        aria-label={`New name of ${who}`}
        size="xs"
        value={patientName}
        error={pseudonymProblem(patientName)}
        onChange={({ currentTarget }) => onChange({ patientName: currentTarget.value, patientId })}
      />
      <TextInput
        label="New ID"
        aria-label={`New ID of ${who}`}
        size="xs"
        value={patientId}
        error={pseudonymProblem(patientId) ?? (isTaken && 'Another patient has this ID')}
        onChange={({ currentTarget }) => onChange({ patientName, patientId: currentTarget.value })}
      />
    </fieldset>
  );
}

/** What no rule about attributes can make sure of. */
const Limits = memo(function Limits({ items }: { items: readonly UploadItem[] }) {
  const reasons = new Map<string, number>();
  for (const { summary } of items) {
    const reason = summary ? summary.uncleanable : 'The browser cannot read it';
    if (reason) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const withText = items.filter(({ summary }) => summary?.mayShowText && !summary.uncleanable).length;
  return (
    <>
      {reasons.size > 0 && (
        <Notice tone="warning">
          <p>Left out, because no rule can clean them:</p>
          <ul className={styles.reasons}>
            {[...reasons].map(([reason, files]) => (
              <li key={reason}>
                {reason} ({files.toLocaleString('en-US')} {files === 1 ? 'file' : 'files'})
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {withText > 0 && (
        <Notice tone="warning">
          Pixels stay as they are. {withText.toLocaleString('en-US')} {withText === 1 ? 'picture is' : 'pictures are'}{' '}
          of a kind that often shows names: look at them before you send them.
        </Notice>
      )}
    </>
  );
});
