import { t } from '@lingui/core/macro';
import { ActionIcon, Tooltip } from '@mantine/core';
import type { ReportRow } from '@radwork/contract/reading/reports';
import { IconAlertOctagon, IconFileText, IconPrinter } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CriticalMark } from '#ui/marks/critical-mark.tsx';
import type { Column } from '#ui/tables/data-table.tsx';
import { formatLocal, formatMoment } from '#ui/formats/formats.ts';
import { IdentityPill } from '#ui/marks/identity-pill.tsx';
import { ModalityTag } from '#ui/marks/modality-tag.tsx';
import { RowActions } from '#ui/tables/row-actions.tsx';
import { ReportStatusPill } from '#reading/reports/panel/report-status.tsx';
import styles from './reports-screen.module.css';

type Options = {
  onPrint: (report: ReportRow) => void;
  /** Renders actions of other features for a report in the list. */
  actions: ((report: ReportRow) => ReactNode) | undefined;
};

/** Columns of the list of reports. */
export const reportColumns = ({ onPrint, actions }: Options): Column<ReportRow>[] => [
  {
    id: 'patientName',
    header: t`Patient`,
    meta: { isRowName: true, sort: 'asc' },
    cell: ({ row }) => <Patient report={row.original} />,
  },
  {
    id: 'studyDate',
    header: t`Study Date`,
    meta: { sort: 'desc', card: { label: t`Study`, order: 1 } },
    cell: ({ row }) => <Narrow isMoment>{formatLocal(row.original.studyDate) || t`No date`}</Narrow>,
  },
  {
    id: 'modality',
    header: t`Modality`,
    cell: ({ row: { original } }) => <ModalityTag modality={original.modality} all={[original.modality]} />,
  },
  {
    id: 'accessionNumber',
    header: t`Accession`,
    meta: { card: { label: t`Accession`, order: 2 } },
    cell: ({ row }) => row.original.accessionNumber,
  },
  {
    id: 'status',
    header: t`Status`,
    cell: ({ row: { original } }) => <ReportStatusPill status={original.status} amended={original.amended} />,
  },
  {
    id: 'author',
    header: t`Author`,
    meta: { card: { label: t`By`, order: 2 } },
    cell: ({ row }) => <Narrow>{row.original.author.name}</Narrow>,
  },
  {
    id: 'createdAt',
    header: t`Created`,
    meta: { sort: 'desc', card: { label: t`Created`, order: 2 } },
    cell: ({ row }) => <Narrow isMoment>{formatMoment(row.original.createdAt)}</Narrow>,
  },
  {
    id: 'critical',
    header: t`Critical`,
    meta: { card: { order: 3 } },
    cell: ({ row }) => <Critical report={row.original} />,
  },
  {
    id: 'actions',
    header: t`Actions`,
    meta: { isTitleHidden: true, card: { order: 4 } },
    cell: ({ row }) => <Actions report={row.original} onPrint={onPrint} more={actions} />,
  },
];

/** Wraps onto two lines in narrow columns, so that the critical column stays visible. */
function Narrow({ isMoment = false, children }: { isMoment?: boolean; children: ReactNode }) {
  return <span className={isMoment ? `${styles.narrow} ${styles.when}` : styles.narrow}>{children}</span>;
}

function Patient({ report }: { report: ReportRow }) {
  const { id, patientName, patientId, studyDescription, identity } = report;
  return (
    <span className={styles.patient}>
      <Link className={styles.name} to="/reports" search={{ reportId: id }} title={patientName}>
        {patientName || t`No name`}
      </Link>
      <span className={styles.identity}>{[patientId, studyDescription].filter(Boolean).join(' · ')}</span>
      <IdentityPill mark={identity} patientName={patientName} />
    </span>
  );
}

/** Shows the state of the critical findings, or that the report is marked as critical. */
function Critical({ report: { criticalState, hasCriticalFindings } }: { report: ReportRow }) {
  if (criticalState) {
    return (
      <span className={styles.mark}>
        <CriticalMark state={criticalState} isShort />
      </span>
    );
  }
  if (!hasCriticalFindings) return null;
  return (
    <span className={styles.critical}>
      <IconAlertOctagon size={15} stroke={1.8} aria-hidden /> {t`Critical`}
    </span>
  );
}

type ActionsProps = { report: ReportRow; onPrint: Options['onPrint']; more: Options['actions'] };

function Actions({ report, onPrint, more }: ActionsProps) {
  const { id, patientName } = report;
  return (
    <RowActions>
      <Tooltip label={t`Open report`}>
        <ActionIcon
          aria-label={t`Open report of ${patientName}`}
          renderRoot={(props) => <Link to="/reports" search={{ reportId: id }} {...props} />}
        >
          <IconFileText size={16} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t`Print report`}>
        <ActionIcon aria-label={t`Print report of ${patientName}`} onClick={() => onPrint(report)}>
          <IconPrinter size={16} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      {more?.(report)}
    </RowActions>
  );
}
