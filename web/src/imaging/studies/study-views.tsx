import { t } from '@lingui/core/macro';
import { type SavedView, savedViews } from '@radwork/contract/imaging/saved-views';
import { studies, type StudyView, studyViews } from '@radwork/contract/imaging/studies';
import { useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { ViewTabs } from '#ui/lists/view-tabs.tsx';
import type { StudiesSearch } from './list/studies-search.ts';
import { useUsableViews } from './saved-views/use-saved-views.ts';

const studyViewLabels: Record<StudyView, string> = {
  MINE: t`Mine`,
  UNASSIGNED: t`Unassigned`,
  PENDING: t`Pending`,
  IN_PROGRESS: t`In progress`,
  OVERDUE: t`Overdue`,
  ALL: t`All`,
};

type Props = {
  current: StudiesSearch['view'];
  /** ID of the saved view from which the list started. */
  savedView: string | undefined;
  onView: (view: StudiesSearch['view']) => void;
  onSavedView: (view: SavedView) => void;
};

/** Worklists as tabs, each with its number of studies: those of the product, then saved views. */
export function StudyViews({ current, savedView, onView, onSavedView }: Props) {
  const counts = useQuery(query(studies.views, {}));
  const saved = useUsableViews() ?? [];
  const savedCounts = useQuery({ ...query(savedViews.counts, {}), enabled: saved.length > 0 });
  const countById = new Map((savedCounts.data ?? []).map((count) => [count.id, count]));
  return (
    <ViewTabs<string>
      label={t`Worklists`}
      current={saved.some(({ id }) => id === savedView) ? (savedView ?? '') : (current ?? 'ALL')}
      views={[
        ...studyViews.map((value) => ({
          value,
          label: studyViewLabels[value],
          count: counts.data?.[value],
          isPressing: value === 'OVERDUE' && Boolean(counts.data?.OVERDUE.total),
        })),
        ...saved.map(({ id, name }) => ({ value: id, label: name, count: countById.get(id) })),
      ]}
      onView={(value) => {
        const view = saved.find(({ id }) => id === value);
        if (view) onSavedView(view);
        else onView(studyViews.filter((candidate) => candidate !== 'ALL').find((candidate) => candidate === value));
      }}
    />
  );
}
