import { t } from '@lingui/core/macro';
import { studies, type StudyView, studyViews } from '@radwork/contract/imaging/studies';
import { useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { ViewTabs } from '#ui/lists/view-tabs.tsx';
import type { StudiesSearch } from './list/studies-search.ts';

const studyViewLabels: Record<StudyView, string> = {
  MINE: t`Mine`,
  UNASSIGNED: t`Unassigned`,
  PENDING: t`Pending`,
  IN_PROGRESS: t`In progress`,
  OVERDUE: t`Overdue`,
  ALL: t`All`,
};

type Props = { current: StudiesSearch['view']; onView: (view: StudiesSearch['view']) => void };

/** Worklists as tabs, each with its number of studies. */
export function StudyViews({ current, onView }: Props) {
  const counts = useQuery(query(studies.views, {}));
  return (
    <ViewTabs
      label={t`Worklists`}
      current={current ?? 'ALL'}
      views={studyViews.map((value) => ({
        value,
        label: studyViewLabels[value],
        count: counts.data?.[value],
        isPressing: value === 'OVERDUE' && Boolean(counts.data?.OVERDUE.total),
      }))}
      onView={(view) => onView(view === 'ALL' ? undefined : view)}
    />
  );
}
