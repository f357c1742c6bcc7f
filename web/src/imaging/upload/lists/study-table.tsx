import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { viewerOf } from '@radwork/contract/core/modalities';
import { Link } from '@tanstack/react-router';
import { memo, useMemo, useState } from 'react';
import { formatSize, formatNumber } from '#ui/formats/formats.ts';
import { ModalityTag } from '#ui/marks/modality-tag.tsx';
import type { Pseudonym } from '@radwork/dicom/deidentify';
import { mostUrgentFirst, type StudyGroup } from './study-groups.ts';
import styles from './study-table.module.css';

type Props = {
  groups: readonly StudyGroup[];
  /** New names of the patients; undefined without de-identification. */
  pseudonyms: ReadonlyMap<string, Pseudonym> | undefined;
};

/** Number of studies shown at first, and added with each press of "Show more". */
const studiesAtOnce = 200;

/**
 * Lists the studies of the chosen files with patient and progress, even before the upload. Memoized, because the upload
 * reports progress several times a second.
 */
export const StudyTable = memo(function StudyTable({ groups, pseudonyms }: Props) {
  const [most, setMost] = useState(studiesAtOnce);
  const sorted = useMemo(() => mostUrgentFirst(groups), [groups]);
  const remaining = groups.length - most;
  const next = Math.min(remaining, studiesAtOnce);
  const [shown, total] = [formatNumber(most), formatNumber(groups.length)];
  return (
    <section className={styles.studies} aria-label={t`Studies of the chosen files`}>
      <div className={styles.scroller} tabIndex={0} role="group" aria-label={t`List of studies`}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t`Patient`}</th>
              <th scope="col">{t`Date`}</th>
              <th scope="col">{t`Study`}</th>
              <th scope="col" className={styles.number}>
                {t`Series`}
              </th>
              <th scope="col" className={styles.number}>
                {t`Files`}
              </th>
              <th scope="col">{t`Stored`}</th>
              <th scope="col">
                <span className="visually-hidden">{t`Open`}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, most).map((group) => (
              <StudyRow key={group.key} group={group} pseudonym={pseudonyms?.get(group.patientKey)} />
            ))}
          </tbody>
        </table>
      </div>
      {remaining > 0 && (
        <div className={styles.more}>
          <span role="status">{t`${shown} of ${total} studies`}</span>
          <Button variant="default" size="compact-sm" onClick={() => setMost(most + studiesAtOnce)}>
            {t`Show ${next} more`}
          </Button>
        </div>
      )}
    </section>
  );
});

function StudyRow({ group, pseudonym }: { group: StudyGroup; pseudonym: Pseudonym | undefined }) {
  const { files, series, bytes } = group;
  const total = files.Pending + files.Uploading + files.Uploaded + files.Failed;
  return (
    <tr>
      <th scope="row" className={styles.patient}>
        <PatientCell group={group} pseudonym={pseudonym} />
      </th>
      <td className={styles.date}>{pseudonym ? <s>{group.studyDate}</s> : group.studyDate}</td>
      <td className={styles.what}>
        {group.modalities.map((modality) => (
          <ModalityTag key={modality} modality={modality} />
        ))}{' '}
        {pseudonym ? <s>{group.studyDescription}</s> : group.studyDescription}
      </td>
      <td className={styles.number}>{series || ''}</td>
      <td className={styles.number} title={formatSize(bytes)}>
        {formatNumber(total)}
      </td>
      <td className={styles.state}>
        <Stored group={group} total={total} />
      </td>
      <td className={styles.links}>
        <StudyLinks group={group} />
      </td>
    </tr>
  );
}

function PatientCell({ group, pseudonym }: { group: StudyGroup; pseudonym: Pseudonym | undefined }) {
  if (group.studyInstanceUID === '') return <span className={styles.unread}>{t`Not readable in the browser`}</span>;
  const { patientName, patientID } = group;
  const formerName = patientName || t`No name`;
  if (!pseudonym) {
    return (
      <>
        {patientName || t`No name`} <span>{patientID || t`No ID`}</span>
      </>
    );
  }
  return (
    <>
      {pseudonym.patientName} <span>{pseudonym.patientId}</span>
      <span className={styles.source}>{t`from ${formerName}`}</span>
    </>
  );
}

function Stored({ group: { files }, total }: { group: StudyGroup; total: number }) {
  const [sent, all, failures] = [formatNumber(files.Uploaded), formatNumber(total), formatNumber(files.Failed)];
  return (
    <>
      <span data-done={files.Uploaded === total || undefined}>{t`${sent} of ${all}`}</span>
      {files.Failed > 0 && <span className={styles.refused}>, {t`${failures} failed`}</span>}
    </>
  );
}

function StudyLinks({ group: { studyId, modalities } }: { group: StudyGroup }) {
  if (!studyId) return null;
  const viewer = viewerOf(modalities) === 'usviewer' ? '/usviewer/{-$id}' : '/viewer/{-$id}';
  return (
    <>
      <Link to="/studies/$id" params={{ id: studyId }}>
        {t`Open study`}
      </Link>
      <Link to={viewer} params={{ id: studyId }}>
        {t`Viewer`}
      </Link>
    </>
  );
}
