import { t } from '@lingui/core/macro';
import { studySortFields } from '@radwork/contract/imaging/studies';
import type { StudyRow } from '@radwork/contract/imaging/study-rows';
import { Link } from '@tanstack/react-router';
import type { Column } from '#ui/tables/data-table.tsx';
import { formatAge, formatLocal, formatMoment, formatWaiting } from '#ui/formats/formats.ts';
import { ModalityTag } from '#ui/marks/modality-tag.tsx';
import { useNow } from '#ui/formats/use-now.ts';
import { PriorityMark } from '#ui/marks/priority-mark.tsx';
import { DueClock } from '#ui/marks/due-clock.tsx';
import { CriticalMark } from '#ui/marks/critical-mark.tsx';
import { ReadingMark } from '#ui/marks/reading-mark.tsx';
import { IdentityPill } from '#ui/marks/identity-pill.tsx';
import { StudyActions } from '#imaging/studies/study-actions.tsx';
import styles from './study-columns.module.css';
import { StudyStatusPill } from '#ui/marks/study-status.tsx';

type Options = {
  /** Deletes a study. Absent where studies cannot be deleted. */
  onRemove?: (study: StudyRow) => void;
  /** Whether the patient ID column is visible by default. */
  hasPatientId?: boolean;
};

/**
 * Returns the columns of a study list, including optional columns. A column is sortable if the server can sort by the
 * ID of the column.
 */
export const studyColumns = (options: Options): Column<StudyRow>[] =>
  columnsOf(options).map((column) => ({ ...column, meta: { ...column.meta, ...sortOf(column.id) } }));

/**
 * Columns whose first click sorts the newest or largest value to the top. All other columns start with the lowest
 * value.
 */
const fromTheEnd = new Set<string | undefined>(['studyDate', 'seriesCount']);

const sortOf = (id: string | undefined): { sort?: 'asc' | 'desc' } => {
  if (!studySortFields.some((field) => field === id)) return {};
  return { sort: fromTheEnd.has(id) ? 'desc' : 'asc' };
};

const columnsOf = ({ onRemove, hasPatientId = false }: Options): Column<StudyRow>[] => [
  {
    id: 'patientName',
    header: t`Patient Name`,
    meta: { isRowName: true },
    cell: ({ row }) => <Patient study={row.original} />,
  },
  {
    id: 'patientId',
    header: t`Patient ID`,
    meta: { isOptional: !hasPatientId, card: { label: t`ID`, order: 2 } },
    cell: ({ row }) => row.original.patient.patientId,
  },
  {
    id: 'studyDate',
    header: t`Study Date`,
    cell: ({ row }) => <StudyDate study={row.original} />,
  },
  {
    id: 'accessionNumber',
    header: t`Accession`,
    meta: { isOptional: true, card: { label: t`Accession`, order: 2 } },
    cell: ({ row }) => row.original.accessionNumber,
  },
  {
    id: 'modality',
    header: t`Modality`,
    cell: ({ row: { original } }) => <ModalityTag modality={original.modality} all={original.modalities} />,
  },
  {
    id: 'status',
    header: t`Status`,
    cell: ({ row }) => <StudyStatusPill status={row.original.status} />,
  },
  {
    id: 'assignees',
    header: t`Assignees`,
    meta: { isOptional: true, card: { label: t`Assigned to`, order: 2 } },
    cell: ({ row }) => <Assignees study={row.original} />,
  },
  {
    id: 'dueDate',
    header: t`Due`,
    meta: { isOptional: true, card: { label: t`Due`, order: 2 } },
    cell: ({ row }) => <Due study={row.original} />,
  },
  {
    id: 'seriesCount',
    header: t`Series count`,
    meta: { card: { label: t`Series`, order: 2 } },
    cell: ({ row }) => row.original.seriesCount,
  },
  {
    id: 'description',
    header: t`Description`,
    meta: { takesRest: true, card: { order: 1 } },
    cell: ({ row }) => <Description study={row.original} />,
  },
  {
    id: 'referringPhysicianName',
    header: t`Referring physician`,
    meta: { isOptional: true, card: { label: t`Referred by`, order: 2 } },
    cell: ({ row }) => <Words text={row.original.referringPhysicianName} />,
  },
  {
    id: 'priority',
    header: t`Priority`,
    meta: { card: { order: 3 } },
    cell: ({ row: { original } }) => (
      <>
        <PriorityMark priority={original.priority} />
        <span className={styles.due}>
          <DueClock dueDate={original.dueDate} since={original.createdDate} />
        </span>
      </>
    ),
  },
  {
    id: 'actions',
    header: t`Actions`,
    meta: { isTitleHidden: true, card: { order: 4 } },
    cell: ({ row }) => <StudyActions study={row.original} onRemove={onRemove} />,
  },
];

function Patient({ study }: { study: StudyRow }) {
  const { patientName, patientId, gender, dateOfBirth } = study.patient;
  const age = formatAge(dateOfBirth, study.studyDate ?? study.createdDate);
  return (
    <>
      <span className={styles.patient}>
        <Link className={styles.name} to="/studies/$id" params={{ id: study.id }} preload="intent" title={patientName}>
          {patientName}
        </Link>
        <span className={styles.identity}>{[patientId, gender, age].filter(Boolean).join(' · ')}</span>
      </span>
      {/* These marks are part of this column, because it is the only column that the user cannot hide. */}
      <ReadingMark reading={study.readingBy} />
      <CriticalMark state={study.criticalState} />
      <IdentityPill mark={study.identity} patientName={patientName} />
    </>
  );
}

/** Shows the description by the department. If there is none, shows the description by the scanner. */
function Description({ study }: { study: StudyRow }) {
  const text = study.description || study.studyDescription;
  return <span title={text}>{text}</span>;
}

/** Shows long text, shortened, with the full text as a tooltip. */
function Words({ text }: { text: string }) {
  if (!text) return null;
  return (
    <span className={styles.words} title={text}>
      {text}
    </span>
  );
}

function Assignees({ study }: { study: StudyRow }) {
  const names = study.assignees.map(({ name, active }) => (active ? name : t`${name} (inactive)`));
  return <Words text={names.join(', ')} />;
}

function Due({ study: { dueDate } }: { study: StudyRow }) {
  const now = useNow();
  if (!dueDate) return null;
  const isOverdue = new Date(dueDate) < now;
  return (
    <>
      {formatMoment(dueDate)}
      {isOverdue && <span className={styles.overdue}>{t`Overdue`}</span>}
    </>
  );
}

function StudyDate({ study }: { study: StudyRow }) {
  return (
    <>
      {formatLocal(study.studyDate) || <span className="muted">{t`No date`}</span>}
      <Waiting study={study} />
    </>
  );
}

const isWaiting = ({ status }: StudyRow) => status === 'PENDING' || status === 'ASSIGNED' || status === 'IN_PROGRESS';

/** Shows how long a study has waited without a report. */
function Waiting({ study }: { study: StudyRow }) {
  const now = useNow();
  if (!isWaiting(study)) return null;
  const since = formatMoment(study.createdDate);
  return (
    <span className={styles.waiting} title={t`Waiting since ${since}`}>
      <span className="visually-hidden">{t`waiting`} </span>
      {formatWaiting(study.createdDate, now)}
    </span>
  );
}
