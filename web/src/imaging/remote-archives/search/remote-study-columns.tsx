import { t } from '@lingui/core/macro';
import { Button, Checkbox } from '@mantine/core';
import { isActive } from '@radwork/contract/imaging/import-jobs';
import type { RemoteStudy } from '@radwork/contract/imaging/remote-studies';
import { Link } from '@tanstack/react-router';
import type { Column } from '#ui/tables/data-table.tsx';
import { formatAge } from '#ui/formats/formats.ts';
import { ModalityTag } from '#ui/marks/modality-tag.tsx';
import { ImportProgress, ImportStatePill } from '#imaging/remote-archives/imports/import-state.tsx';
import {
  importOffer,
  importTexts,
  partialInstanceCount,
  localStudyId,
} from '#imaging/remote-archives/imports/import-offer.ts';
import { useImporting } from '#imaging/remote-archives/imports/importing-context.ts';
import styles from '#imaging/remote-archives/remote-archives.module.css';

/** Columns of the found studies. `sortStudies` uses the IDs of the sortable columns. */
export const remoteStudyColumns: Column<RemoteStudy>[] = [
  {
    id: 'chosen',
    header: t`Selected`,
    meta: { isTitleHidden: true, card: { isCorner: true } },
    cell: ({ row }) => <Choice study={row.original} />,
  },
  {
    id: 'patientName',
    header: t`Patient name`,
    meta: { sort: 'asc', isRowName: true },
    cell: ({ row }) => <Patient study={row.original} />,
  },
  {
    id: 'studyDate',
    header: t`Study date`,
    meta: { sort: 'desc' },
    cell: ({ row: { original } }) =>
      [original.studyDate, original.studyTime.slice(0, 5)].filter(Boolean).join(' ') || (
        <span className="muted">{t`No date`}</span>
      ),
  },
  {
    id: 'modality',
    header: t`Modality`,
    meta: { sort: 'asc' },
    cell: ({ row }) => <Modalities study={row.original} />,
  },
  {
    id: 'description',
    header: t`Description`,
    meta: { sort: 'asc', takesRest: true, card: { order: 1 } },
    cell: ({ row }) => <Description study={row.original} />,
  },
  {
    id: 'accession',
    header: t`Accession`,
    meta: { sort: 'asc', card: { label: t`Accession`, order: 2 } },
    cell: ({ row }) => row.original.accessionNumber,
  },
  {
    id: 'counts',
    // Uses a non-breaking space before the slash.
    header: t`Series\u00a0/ images`,
    meta: { card: { label: t`Series / images`, order: 3 } },
    cell: ({ row: { original } }) => `${original.seriesCount ?? '–'} / ${original.instanceCount ?? '–'}`,
  },
  {
    id: 'import',
    header: t`Import`,
    meta: { isTitleHidden: true, card: { order: 4 } },
    cell: ({ row }) => <ImportCell study={row.original} />,
  },
];

function Choice({ study }: { study: RemoteStudy }) {
  const { jobs, chosen, toggle, verb } = useImporting();
  const { studyInstanceUID } = study;
  const name = studyLabel(study);
  const isOffered = importOffer(study, jobs.get(studyInstanceUID), verb) !== undefined;
  return (
    <Checkbox
      size="xs"
      aria-label={t`Select ${name}`}
      disabled={!isOffered}
      checked={isOffered && chosen.has(studyInstanceUID)}
      onChange={() => toggle(study)}
    />
  );
}

/** Returns a label that also names the study, because a patient may have several studies. */
const studyLabel = ({ patientName, studyDescription, studyDate }: RemoteStudy): string =>
  [patientName || t`No name`, studyDescription, studyDate].filter(Boolean).join(', ');

function Patient({ study }: { study: RemoteStudy }) {
  const { patientName, patientId, sex, birthDate, studyDate } = study;
  const age = studyDate && formatAge(birthDate || null, studyDate);
  return (
    <span className={styles.patient}>
      <span className={styles.patientName} title={patientName}>
        {patientName || t`No name`}
      </span>
      <span className={styles.identity}>{[patientId, sex, age].filter(Boolean).join(' · ')}</span>
    </span>
  );
}

/** Shows the description of the study. If its import failed, also shows the reason. */
function Description({ study: { studyInstanceUID, studyDescription } }: { study: RemoteStudy }) {
  const cause = useImporting().jobs.get(studyInstanceUID)?.cause;
  return (
    <>
      {studyDescription && (
        <span className={styles.line} title={studyDescription}>
          {studyDescription}
        </span>
      )}
      {cause && (
        <span className={`${styles.line} ${styles.fault}`} title={cause}>
          {cause}
        </span>
      )}
    </>
  );
}

function Modalities({ study }: { study: RemoteStudy }) {
  const all = study.modality.split(/[\\,/ ]+/).filter(Boolean);
  return all[0] ? <ModalityTag modality={all[0]} all={all} /> : null;
}

/** Shows the next action on a study: import it, see its progress, or open it. */
function ImportCell({ study }: { study: RemoteStudy }) {
  const { jobs, starting, importOne, verb } = useImporting();
  const job = jobs.get(study.studyInstanceUID);
  if (job && isActive(job.state)) {
    return (
      <span className={styles.importCell}>
        <ImportProgress job={job} />
      </span>
    );
  }
  const studyId = localStudyId(study, job);
  const offer = importOffer(study, job, verb);
  const part = partialInstanceCount(study, job);
  const total = study.instanceCount ?? 0;
  const name = studyLabel(study);
  return (
    <span className={styles.importCell}>
      {job && offer !== importTexts[verb].once && <ImportStatePill state={job.state} />}
      {part !== undefined && <span className={styles.fault}>{t`${part} of ${total} stored`}</span>}
      {!job && studyId && part === undefined && <span className="muted">{t`In the archive`}</span>}
      {studyId && (
        <Link
          className={styles.open}
          to="/studies/$id"
          params={{ id: studyId }}
          preload="intent"
          aria-label={t`Open ${name}`}
        >
          {t`Open`}
        </Link>
      )}
      {offer && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`${offer}: ${name}`}
          loading={starting.has(study.studyInstanceUID)}
          onClick={() => importOne(study)}
        >
          {offer}
        </Button>
      )}
    </span>
  );
}
