import { Button, Checkbox } from '@mantine/core';
import { isActive } from '@radwork/contract/import-jobs';
import type { RemoteStudy } from '@radwork/contract/remote-studies';
import { Link } from '@tanstack/react-router';
import type { Column } from '#ui/data-table.tsx';
import { formatAge } from '#ui/formats.ts';
import { ModalityTag } from '#ui/modality-tag.tsx';
import { ImportProgress, ImportStatePill } from './import-state.tsx';
import { useImporting } from './importing.ts';
import styles from './remote-archives.module.css';

/** The columns of the studies that another archive found. */
export const remoteStudyColumns: Column<RemoteStudy>[] = [
  {
    id: 'chosen',
    header: 'Selected',
    meta: { isTitleHidden: true },
    cell: ({ row }) => <Choice study={row.original} />,
  },
  {
    id: 'patientName',
    header: 'Patient Name',
    meta: { isRowName: true },
    cell: ({ row }) => <Patient study={row.original} />,
  },
  {
    id: 'studyDate',
    header: 'Study Date',
    cell: ({ row: { original } }) =>
      [original.studyDate, original.studyTime.slice(0, 5)].filter(Boolean).join(' ') || (
        <span className="muted">No date</span>
      ),
  },
  { id: 'modality', header: 'Modality', cell: ({ row }) => <Modalities study={row.original} /> },
  {
    id: 'description',
    header: 'Description',
    meta: { takesRest: true, card: { order: 1 } },
    cell: ({ row }) => <span title={row.original.studyDescription}>{row.original.studyDescription}</span>,
  },
  {
    id: 'accession',
    header: 'Accession',
    meta: { card: { label: 'Accession', order: 2 } },
    cell: ({ row }) => row.original.accessionNumber,
  },
  {
    id: 'counts',
    header: 'Series / images',
    meta: { card: { label: 'Series / images', order: 3 } },
    cell: ({ row: { original } }) => `${original.seriesCount ?? '–'} / ${original.instanceCount ?? '–'}`,
  },
  {
    id: 'import',
    header: 'Import',
    meta: { isTitleHidden: true, card: { order: 4 } },
    cell: ({ row }) => <ImportCell study={row.original} />,
  },
];

function Choice({ study: { studyInstanceUID, patientName } }: { study: RemoteStudy }) {
  const { chosen, toggle } = useImporting();
  return (
    <Checkbox
      size="xs"
      aria-label={`Select the study of ${patientName || 'an unnamed patient'}`}
      checked={chosen.has(studyInstanceUID)}
      onChange={(event) => toggle(studyInstanceUID, event.currentTarget.checked)}
    />
  );
}

function Patient({ study }: { study: RemoteStudy }) {
  const { patientName, patientId, sex, birthDate, studyDate } = study;
  const age = studyDate && formatAge(birthDate || null, studyDate);
  return (
    <span className={styles.patient}>
      <span className={styles.patientName}>{patientName || 'No name'}</span>
      <span className={styles.identity}>{[patientId, sex, age].filter(Boolean).join(' · ')}</span>
    </span>
  );
}

function Modalities({ study }: { study: RemoteStudy }) {
  const all = study.modality.split(/[\\,/ ]+/).filter(Boolean);
  return all[0] ? <ModalityTag modality={all[0]} all={all} /> : null;
}

/** What can be done with a study next: bring it here, wait for it, or open it. */
function ImportCell({ study }: { study: RemoteStudy }) {
  const { jobs, importOne, verb } = useImporting();
  const job = jobs.get(study.studyInstanceUID);
  if (job && isActive(job.state)) return <ImportProgress job={job} />;
  const studyId = job?.studyId ?? study.studyId;
  const again = job ? 'Try again' : 'Complete';
  return (
    <span className={styles.importCell}>
      {job && <ImportStatePill state={job.state} />}
      {!job && studyId && <span className="muted">Here already</span>}
      {studyId && (
        <Link className={styles.open} to="/studies/$id" params={{ id: studyId }}>
          Open
        </Link>
      )}
      {job?.state !== 'DONE' && (
        <Button size="compact-xs" variant="default" onClick={() => importOne(study)}>
          {job || studyId ? again : verb}
        </Button>
      )}
    </span>
  );
}
