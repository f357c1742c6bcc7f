import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Table } from '@mantine/core';
import {
  type HeaderDifference,
  rereadings,
  rereadOutcomeLabels,
  rereadOutcomes,
  type RereadOutcome,
} from '@radwork/contract/imaging/rereadings';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { query } from '#core/http/api.ts';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { Pagination } from '#ui/lists/pagination.tsx';
import { ViewTabs } from '#ui/lists/view-tabs.tsx';
import styles from './identities-screen.module.css';

/** Milliseconds between requests for the progress. */
const everyMs = 10_000;

/**
 * Shows the progress of rereading the stored headers after an upgrade, and opens the list of what changed. Empty if
 * nothing changed.
 */
export function RereadingNotice() {
  const [isOpen, setIsOpen] = useState(false);
  const { data } = useQuery({
    ...query(rereadings.progress, {}),
    refetchInterval: ({ state }) => (state.data && state.data.finishedDate === null ? everyMs : false),
  });
  if (!data) return null;
  const { filesRead, filesInAll, changed, left, failed, finishedDate } = data;
  const isRunning = finishedDate === null;
  const count = changed + left + failed;
  if (!isRunning && count === 0) return null;
  return (
    <div className={styles.progress}>
      {isRunning ? (
        <Trans>
          Reading stored headers again: {filesRead} of {filesInAll} files, {changed} values corrected.
        </Trans>
      ) : (
        <Trans>
          Stored headers were read again: {changed} values corrected, {left} not corrected, {failed} files not read.
        </Trans>
      )}{' '}
      {count > 0 && (
        <Button size="xs" variant="default" onClick={() => setIsOpen(true)}>
          {t`Show changes`}
        </Button>
      )}
      <Dialog opened={isOpen} onClose={() => setIsOpen(false)} title={t`Values read again`} size={900}>
        <Differences />
      </Dialog>
    </div>
  );
}

const pageSize = 20;

function Differences() {
  const [outcome, setOutcome] = useState<RereadOutcome>('CHANGED');
  const [page, setPage] = useState(0);
  const differences = useQuery({
    ...query(rereadings.differences, { query: { page, size: pageSize, outcome } }),
    placeholderData: keepPreviousData,
  });
  const { data } = differences;
  return (
    <>
      <ViewTabs
        label={t`Shown`}
        current={outcome}
        onView={(next) => {
          setOutcome(next);
          setPage(0);
        }}
        views={rereadOutcomes.map((value) => ({ value, label: rereadOutcomeLabels[value] }))}
      />
      {differences.isPending && <Skeleton lines={6} label={t`Loading changes`} />}
      {differences.isLoadingError && (
        <ErrorState
          failed={t`Error loading changes`}
          error={differences.error}
          onRetry={() => void differences.refetch()}
        />
      )}
      {data?.totalElements === 0 && <p>{t`No entries`}</p>}
      {data && data.totalElements > 0 && (
        <>
          <Table aria-label={t`Values read again`}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t`Study`}</Table.Th>
                <Table.Th>{t`Attribute`}</Table.Th>
                <Table.Th>{t`Before`}</Table.Th>
                <Table.Th>{outcome === 'FAILED' ? t`Reason` : t`In the file`}</Table.Th>
                <Table.Th>{t`Files`}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.content.map((difference) => (
                <DifferenceRow key={difference.id} difference={difference} />
              ))}
            </Table.Tbody>
          </Table>
          <Pagination currentPage={data} size={pageSize} onPaging={(next) => setPage(next.page ?? 0)} />
        </>
      )}
    </>
  );
}

function DifferenceRow({ difference }: { difference: HeaderDifference }) {
  const { study, patientName, keyword, before, after, files } = difference;
  return (
    <Table.Tr>
      <Table.Td>
        <Link to="/studies/$id" params={{ id: study.id }}>
          {study.description || t`Study`} {study.modality}
        </Link>{' '}
        {patientName}
      </Table.Td>
      <Table.Td>{keyword}</Table.Td>
      <Table.Td>{before}</Table.Td>
      <Table.Td>{after}</Table.Td>
      <Table.Td>{files}</Table.Td>
    </Table.Tr>
  );
}
