import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { studies } from '@radwork/contract/imaging/studies';
import type { DeletedStudy, EarlyPurge } from '@radwork/contract/imaging/study-rows';
import { IconTrash } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { query } from '#core/http/api.ts';
import { type Column, DataTable } from '#ui/tables/data-table.tsx';
import { formatLocal, formatMoment } from '#ui/formats/formats.ts';
import { ModalityTag } from '#ui/marks/modality-tag.tsx';
import { ListChangedNote } from '#ui/lists/list-changed.tsx';
import { Pagination } from '#ui/lists/pagination.tsx';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { useSteadyList } from '#ui/lists/use-steady-list.ts';
import styles from './deleted-studies-screen.module.css';
import { DeletedStudyActions } from './deleted-study-actions.tsx';
import { EarlyPurgeDialog, type PendingDecision } from './early-purge-dialog.tsx';
import { lastListAddress } from '#imaging/studies/last-list-address.ts';
import type { ListPaging } from '#imaging/studies/list/studies-search.ts';
import { useStudyRestore } from '#imaging/studies/use-study-restore.ts';

const route = getRouteApi('/signed-in/shell/studies/deleted');
const defaultSize = 25;

/**
 * Screen /studies/deleted: the recycle bin. Shows for each study who deleted it, when, and until when it is retained.
 */
export function DeletedStudiesScreen() {
  const { page = 0, size = defaultSize } = route.useSearch();
  const navigate = useNavigate();
  const deleted = useQuery({
    ...query(studies.deleted, { query: { page, size } }),
    placeholderData: keepPreviousData,
  });
  const { mutate: restore } = useStudyRestore();
  const putBack = useCallback(({ id }: DeletedStudy) => restore({ params: { id } }), [restore]);
  const [pending, setPending] = useState<PendingDecision>();
  const decide = useCallback((study: DeletedStudy, kind: EarlyPurge['kind']) => setPending({ study, kind }), []);
  const { data } = deleted;
  const steady = useSteadyList({
    items: data?.content,
    at: deleted.dataUpdatedAt,
    to: deleted.isPlaceholderData ? undefined : `${page} ${size}`,
    // Keeps the rows in place. Otherwise the second click of a double click would restore the next study.
    holdsOwnChanges: true,
  });
  const leavingIds = steady.items?.flatMap(({ id }) => (steady.hasLeft(id) ? id : [])).join(' ') ?? '';
  const columns = useMemo(
    () => deletedColumns(putBack, decide, new Set(leavingIds.split(' '))),
    [putBack, decide, leavingIds],
  );
  const change = (search: Pick<ListPaging, 'page' | 'size'>) =>
    void navigate({ from: '/studies/deleted', to: '/studies/deleted', search: (before) => ({ ...before, ...search }) });

  return (
    <>
      <ScreenTitle title={t`Recycle bin`} actions={<ToList />} />
      <p className={styles.note}>
        {t`Deleted studies can be restored until the date shown. After that they are purged.`}
      </p>
      <DataTable
        label={t`deleted studies`}
        items={steady.items}
        idOf={({ id }) => id}
        columns={columns}
        details={{ label: t`contents`, show: (study) => <Contents study={study} /> }}
        rowShortcuts={[
          {
            keys: 'r',
            does: t`Restore study`,
            hint: t`restore`,
            run: (study) => steady.hasLeft(study.id) || putBack(study),
          },
        ]}
        onHold={steady.onHold}
        isRefreshing={deleted.isFetching}
      >
        {deleted.isLoadingError && (
          <ErrorState
            failed={t`Error fetching deleted studies`}
            error={deleted.error}
            onRetry={() => void deleted.refetch()}
          />
        )}
        {data?.totalElements === 0 && (
          <EmptyState icon={IconTrash} title={t`The recycle bin is empty`} detail={t`Deleted studies appear here.`} />
        )}
      </DataTable>
      <EarlyPurgeDialog pending={pending} onClose={() => setPending(undefined)} />
      {steady.isMoved && <ListChangedNote isKeyTaken onShow={steady.showNew} />}
      {data && <Pagination currentPage={data} size={size} onPaging={change} />}
    </>
  );
}

function ToList() {
  return (
    <Button variant="default" renderRoot={(props) => <Link to="/studies" search={lastListAddress()} {...props} />}>
      {t`Back to study list`}
    </Button>
  );
}

const deletedColumns = (
  onRestore: (study: DeletedStudy) => void,
  onDecide: (study: DeletedStudy, kind: EarlyPurge['kind']) => void,
  leavingIds: ReadonlySet<string>,
): Column<DeletedStudy>[] => [
  {
    id: 'patientName',
    header: t`Patient Name`,
    meta: { isRowName: true },
    cell: ({ row: { original } }) => (
      <>
        <strong>{original.patient.patientName}</strong>{' '}
        <span className={styles.identity}>{original.patient.patientId}</span>
      </>
    ),
  },
  {
    id: 'studyDate',
    header: t`Study Date`,
    cell: ({ row: { original } }) => formatLocal(original.studyDate) || <span className="muted">{t`No date`}</span>,
  },
  {
    id: 'modality',
    header: t`Modality`,
    cell: ({ row: { original } }) => <ModalityTag modality={original.modality} all={original.modalities} />,
  },
  {
    id: 'description',
    header: t`Description`,
    meta: { takesRest: true, card: { order: 1 } },
    cell: ({ row: { original } }) => original.description || original.studyDescription,
  },
  {
    id: 'deletedBy',
    header: t`Deleted by`,
    meta: { card: { label: t`Deleted by`, order: 2 } },
    cell: ({ row: { original } }) => original.deletedBy,
  },
  {
    id: 'deletedDate',
    header: t`Deleted`,
    meta: { card: { label: t`Deleted`, order: 2 } },
    cell: ({ row: { original } }) => formatMoment(original.deletedDate),
  },
  {
    id: 'purgeDate',
    header: t`Purged on`,
    meta: { card: { label: t`Purged on`, order: 2 } },
    cell: ({ row: { original } }) => (
      <>
        {formatMoment(original.purgeDate)} <DecisionMark study={original} />
      </>
    ),
  },
  {
    id: 'actions',
    header: t`Actions`,
    meta: { isTitleHidden: true, card: { order: 3 } },
    cell: ({ row: { original } }) =>
      leavingIds.has(original.id) ? (
        <span className="muted">{t`No longer in this list`}</span>
      ) : (
        <DeletedStudyActions study={original} onRestore={onRestore} onDecide={onDecide} />
      ),
  },
];

/** Marks a study that is purged before its date, or whose images were sent again. */
function DecisionMark({ study: { earlyPurge, refusedFiles } }: { study: DeletedStudy }) {
  if (earlyPurge?.kind === 'REPLACE') return <span className={styles.mark}>{t`Replacement allowed`}</span>;
  if (earlyPurge?.kind === 'PURGE') return <span className={styles.mark}>{t`Purge requested`}</span>;
  return refusedFiles > 0 ? <span className={styles.mark}>{t`Images sent again`}</span> : null;
}

/** Shows identifying data of the study in its expanded row, because the series of a deleted study cannot be fetched. */
function Contents({ study }: { study: DeletedStudy }) {
  const { seriesCount, instanceCount, accessionNumber, studyInstanceUID, earlyPurge, refusedFiles } = study;
  const decidedAt = formatMoment(earlyPurge?.requestedDate ?? '');
  const refusedAt = formatMoment(study.refusedDate);
  return (
    <dl className={styles.facts}>
      <dt>{t`Series`}</dt>
      <dd>{seriesCount}</dd>
      <dt>{t`Images`}</dt>
      <dd>{instanceCount}</dd>
      <dt>{t`Accession`}</dt>
      <dd>{accessionNumber || <span className="muted">{t`None`}</span>}</dd>
      <dt>{t`Study UID`}</dt>
      <dd className="mono">{studyInstanceUID}</dd>
      {earlyPurge && (
        <>
          <dt>{earlyPurge.kind === 'PURGE' ? t`Purge requested` : t`Replacement allowed`}</dt>
          <dd>
            {t`${earlyPurge.requestedBy}, ${decidedAt}`}: {earlyPurge.reason}
          </dd>
        </>
      )}
      {refusedFiles > 0 && (
        <>
          <dt>{t`Refused since`}</dt>
          <dd>{t`${plural(refusedFiles, { one: '# file', other: '# files' })}, last on ${refusedAt}`}</dd>
        </>
      )}
    </dl>
  );
}
