import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { archive } from '@radwork/contract/imaging/archive';
import { IconChecks, IconSearchOff, IconStack, IconUpload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { may } from '#core/state/session.ts';
import { EmptyState } from '#ui/feedback/content-states.tsx';
import { dashboardFilterLabels } from './dashboard-filter-labels.ts';
import type { StudiesSearch } from './studies-search.ts';

/** Message for an empty list: no match for the filters, or no studies yet. */
export function NoStudies({ search, onClear }: { search: StudiesSearch; onClear: () => void }) {
  const { query, modality, status, startDate, endDate, where } = search;
  const isFiltered = [query, modality, status, startDate, endDate, where, ...dashboardFilterLabels(search)].some(
    Boolean,
  );
  if (!isFiltered && search.view) return <NothingInView view={search.view} onClear={onClear} />;
  if (!isFiltered) return <NoStudiesYet />;
  return (
    <EmptyState
      icon={IconSearchOff}
      title={t`No matching studies`}
      detail={t`Try a wider date range or fewer filters.`}
      action={
        <Button variant="default" onClick={onClear}>
          {t`Clear filters`}
        </Button>
      }
    />
  );
}

const nothingIn: Record<NonNullable<StudiesSearch['view']>, { title: string; detail: string }> = {
  MINE: { title: t`No studies assigned to you`, detail: t`Studies appear here when they are assigned to you.` },
  UNASSIGNED: { title: t`No unassigned studies`, detail: t`New studies appear here until they are assigned.` },
  PENDING: { title: t`No pending studies`, detail: t`New studies appear here until they are assigned or started.` },
  IN_PROGRESS: {
    title: t`No studies in progress`,
    detail: t`Studies appear here from the first draft to the final report.`,
  },
  OVERDUE: { title: t`No overdue studies`, detail: t`Studies appear here when an assignment is past its due date.` },
};

/** Message for an empty worklist. */
function NothingInView({ view, onClear }: { view: NonNullable<StudiesSearch['view']>; onClear: () => void }) {
  return (
    <EmptyState
      icon={IconChecks}
      {...nothingIn[view]}
      action={
        <Button variant="default" onClick={onClear}>
          {t`Show all studies`}
        </Button>
      }
    />
  );
}

function NoStudiesYet() {
  const upload = may(archive.store) && (
    <Button leftSection={<IconUpload size={16} />} renderRoot={(props) => <Link to="/studies/create" {...props} />}>
      {t`Upload images`}
    </Button>
  );
  return (
    <EmptyState
      icon={IconStack}
      title={t`No studies yet`}
      detail={t`Studies appear here when their images arrive.`}
      action={upload}
    />
  );
}

/** If a link has limited the list to one study, offers a link to all studies. */
export function OnlyThisStudy({ onShowAll }: { onShowAll: () => void }) {
  return (
    <EmptyState
      icon={IconStack}
      title={t`Only the linked study is shown`}
      action={
        <Button variant="default" onClick={onShowAll}>
          {t`Show all studies`}
        </Button>
      }
    />
  );
}
