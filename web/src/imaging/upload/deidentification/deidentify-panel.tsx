import { formatNumber } from '#ui/formats/formats.ts';
import { plural, t } from '@lingui/core/macro';
import { Plural } from '@lingui/react/macro';
import { Button, Switch, TextInput } from '@mantine/core';
import { sentenceOfFault } from '@radwork/contract/imaging/file-faults';
import type { Pseudonym } from '@radwork/dicom/deidentify';
import type { InstanceSummary } from '@radwork/dicom/instance-summary';
import { memo, useMemo } from 'react';
import { Notice } from '#ui/feedback/notice.tsx';
import { VirtualRows } from '#ui/tables/virtual-rows.tsx';
import {
  type DeidentificationState,
  patientsOfSharedIds,
  pseudonymProblem,
  unfitPatients,
} from './deidentification.ts';
import styles from './deidentify-panel.module.css';
import type { Patient } from '#imaging/upload/lists/study-groups.ts';
import type { UploadItem } from '#imaging/upload/queue/upload-item.ts';

type Props = {
  state: DeidentificationState;
  items: readonly UploadItem[];
  patients: readonly Patient[];
  /** Whether a file was already sent. The remaining files must then be sent in the same way. */
  isLocked: boolean;
  onSwitch: (isOn: boolean) => void;
  onRename: (patientKey: string, pseudonym: Pseudonym) => void;
  onShowChanges: () => void;
  onSaveNames: () => void;
};

const emptyPseudonym: Pseudonym = { patientName: '', patientId: '' };

/** Switches de-identification on and off, edits the new names, and lists the files that the rules cannot clean. */
export function DeidentifyPanel({
  state,
  items,
  patients,
  isLocked,
  onSwitch,
  onRename,
  onShowChanges,
  onSaveNames,
}: Props) {
  return (
    <section className={styles.panel} aria-label={t`De-identification`}>
      <Switch
        label={t`De-identify before sending`}
        description={t`Basic profile of DICOM (PS3.15 Annex E), applied in this browser`}
        checked={state.isOn}
        disabled={isLocked}
        onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}
      />
      {state.isOn && (
        <>
          {!isLocked && <NewNames patients={patients} pseudonyms={state.pseudonyms} onRename={onRename} />}
          <Limits items={items} />
          <div className={styles.buttons}>
            <Button variant="default" size="compact-sm" onClick={onShowChanges}>
              {t`Show changes`}
            </Button>
            <Button variant="default" size="compact-sm" onClick={onSaveNames}>
              {t`Save list of names`}
            </Button>
          </div>
          <p className={styles.hint}>
            {t`Only the saved list identifies the patients. It is not sent, and it is lost when you leave this page.`}
          </p>
        </>
      )}
    </section>
  );
}

type NewNamesProps = Pick<Props, 'patients' | 'onRename'> & Pick<DeidentificationState, 'pseudonyms'>;

/** Row heights in pixels. `unfit` has two more lines for the messages under the fields. */
const heights = { fit: 92, unfit: 126 };
const rowsShown = 3;

/** Table to edit the new names. It may contain thousands of patients. */
function NewNames({ patients, pseudonyms, onRename }: NewNamesProps) {
  const shared = useMemo(() => patientsOfSharedIds(patients, pseudonyms), [patients, pseudonyms]);
  const unfit = unfitPatients(patients, pseudonyms);
  const rowHeight = unfit.length > 0 ? heights.unfit : heights.fit;
  const row = (patient: Patient | undefined) =>
    patient && (
      <PatientFields
        patient={patient}
        pseudonym={pseudonyms.get(patient.patientKey) ?? emptyPseudonym}
        isTaken={shared.has(patient)}
        onChange={(pseudonym) => onRename(patient.patientKey, pseudonym)}
      />
    );
  return (
    <>
      <Unfit patients={unfit} />
      <div className={styles.patients} style={{ height: Math.min(patients.length, rowsShown) * rowHeight }}>
        <VirtualRows
          label={t`New names of the patients`}
          count={patients.length}
          rowHeight={rowHeight}
          keyOf={(index) => patients[index]?.patientKey ?? index}
        >
          {(index) => row(patients[index])}
        </VirtualRows>
      </div>
    </>
  );
}

const namesOfUnfit = 3;

/** Shows the reason why nothing can be sent. The fields with errors may be out of view. */
function Unfit({ patients }: { patients: readonly Patient[] }) {
  if (patients.length === 0) return null;
  const count = patients.length;
  const names = patients.slice(0, namesOfUnfit).map(nameOf).join('; ');
  const rest = count - namesOfUnfit;
  const more = formatNumber(rest);
  return (
    <p role="status" className={styles.unfit}>
      {rest > 0
        ? t`${plural(count, { one: '# patient needs', other: '# patients need' })} another new name or ID: ${names}; and ${more} more.`
        : t`${plural(count, { one: '# patient needs', other: '# patients need' })} another new name or ID: ${names}.`}
    </p>
  );
}

type FieldsProps = {
  patient: Patient;
  pseudonym: Pseudonym;
  isTaken: boolean;
  onChange: (pseudonym: Pseudonym) => void;
};

const nameOf = ({ patientName, patientID, study }: Patient) => {
  const name = patientName || patientID || t`Patient without a name`;
  const studyName = study && (study.studyDate || study.studyInstanceUID);
  return studyName === undefined ? name : t`${name}, study ${studyName}`;
};

function PatientFields({ patient, pseudonym: { patientName, patientId }, isTaken, onChange }: FieldsProps) {
  const who = nameOf(patient);
  return (
    <fieldset className={styles.patient}>
      <legend title={who}>{who}</legend>
      <TextInput
        label={t`New name`}
        aria-label={t`New name of ${who}`}
        size="xs"
        value={patientName}
        error={pseudonymProblem(patientName)}
        onChange={({ currentTarget }) => onChange({ patientName: currentTarget.value, patientId })}
      />
      <TextInput
        label={t`New ID`}
        aria-label={t`New ID of ${who}`}
        size="xs"
        value={patientId}
        error={pseudonymProblem(patientId) ?? (isTaken && t`Another patient has this ID`)}
        onChange={({ currentTarget }) => onChange({ patientName, patientId: currentTarget.value })}
      />
    </fieldset>
  );
}

const refusalOf = ({ uncleanable }: InstanceSummary): string | undefined =>
  uncleanable && sentenceOfFault({ kind: uncleanable });

/** Lists the files that rules for attributes cannot reliably clean. */
const Limits = memo(function Limits({ items }: { items: readonly UploadItem[] }) {
  const reasons = new Map<string, number>();
  for (const { summary } of items) {
    const reason = summary ? refusalOf(summary) : t`The browser cannot read the file`;
    if (reason) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const withText = items.filter(({ summary }) => summary?.mayShowText && !summary.uncleanable).length;
  return (
    <>
      {reasons.size > 0 && (
        <Notice tone="warning">
          <p>{t`Files left out because no rule can de-identify them:`}</p>
          <ul className={styles.reasons}>
            {[...reasons].map(([reason, files]) => (
              <li key={reason}>
                {reason} (<Plural value={files} one="# file" other="# files" />)
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {withText > 0 && (
        <Notice tone="warning">
          {t`Pixels are not changed.`}{' '}
          {t`${plural(withText, { one: '# image is of a kind that often shows names. Check it before you send it.', other: '# images are of kinds that often show names. Check them before you send them.' })}`}
        </Notice>
      )}
    </>
  );
});
