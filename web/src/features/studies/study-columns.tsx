import type { StudyRow } from '@radwork/contract/studies';
import { Link } from '@tanstack/react-router';
import type { Column } from '#ui/data-table.tsx';
import { formatAge, formatLocal, formatMoment, formatPersonName, formatWaiting } from '#ui/formats.ts';
import { ModalityTag } from '#ui/modality-tag.tsx';
import { useNow } from '#ui/now.ts';
import { PriorityMark } from '#ui/priority-mark.tsx';
import { StudyActions } from './study-actions.tsx';
import styles from './study-columns.module.css';
import { StudyStatusPill } from './study-status.tsx';

/** The columns of the study list. The id of a sortable one is the field that the server sorts by. */
export const studyColumns = (onRemove: (study: StudyRow) => void): Column<StudyRow>[] => [
  {
    id: 'patientName',
    header: 'Patient Name',
    meta: { sort: 'asc', isRowName: true, width: '24%' },
    cell: ({ row }) => <Patient study={row.original} />,
  },
  {
    id: 'studyDate',
    header: 'Study Date',
    meta: { sort: 'desc' },
    cell: ({ row }) => <StudyDate study={row.original} />,
  },
  {
    id: 'modality',
    header: 'Modality',
    meta: { sort: 'asc' },
    cell: ({ row: { original } }) => <ModalityTag modality={original.modality} all={original.modalities} />,
  },
  {
    id: 'status',
    header: 'Status',
    meta: { sort: 'asc' },
    cell: ({ row }) => <StudyStatusPill status={row.original.status} />,
  },
  {
    id: 'seriesCount',
    header: 'Series',
    meta: { sort: 'desc', cardLabel: 'Series' },
    cell: ({ row }) => row.original.seriesCount,
  },
  {
    id: 'description',
    header: 'Description',
    meta: { sort: 'asc', width: '26%' },
    cell: ({ row: { original } }) => (
      <span className={styles.description}>{original.description || original.studyDescription}</span>
    ),
  },
  {
    id: 'priority',
    header: 'Priority',
    meta: { sort: 'asc' },
    cell: ({ row }) => <PriorityMark priority={row.original.priority} />,
  },
  {
    id: 'actions',
    header: 'Actions',
    meta: { isTitleHidden: true, width: '1%' },
    cell: ({ row }) => <StudyActions study={row.original} onRemove={onRemove} />,
  },
];

function Patient({ study }: { study: StudyRow }) {
  const { patientName, patientId, gender, dateOfBirth } = study.patient;
  const age = formatAge(dateOfBirth, study.studyDate ?? study.createdDate);
  return (
    <>
      <Link className={styles.name} to="/studies/$id" params={{ id: study.id }} preload="intent">
        {formatPersonName(patientName)}
      </Link>
      <span className={styles.identity}>{[patientId, gender, age].filter(Boolean).join(' · ')}</span>
    </>
  );
}

function StudyDate({ study }: { study: StudyRow }) {
  return (
    <>
      {formatLocal(study.studyDate) || <span className="muted">No date</span>}
      <Waiting study={study} />
    </>
  );
}

const isWaiting = ({ status }: StudyRow) => status === 'PENDING' || status === 'ASSIGNED' || status === 'IN_PROGRESS';

/** How long a study has been here unread. */
function Waiting({ study }: { study: StudyRow }) {
  const now = useNow();
  if (!isWaiting(study)) return null;
  return (
    <span className={styles.waiting} title={`Waiting since ${formatMoment(study.createdDate)}`}>
      <span className="visually-hidden">waiting </span>
      {formatWaiting(study.createdDate, now)}
    </span>
  );
}
