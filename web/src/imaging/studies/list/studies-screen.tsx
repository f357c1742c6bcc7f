import { t } from '@lingui/core/macro';
import type { StudyRow } from '@radwork/contract/imaging/study-rows';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { errorMessageOf } from '#core/http/api.ts';
import { useArrangement } from '#ui/tables/data-table-columns.ts';
import type { RowShortcut } from '#ui/tables/data-table.tsx';
import { HiddenFilter } from '#ui/lists/hidden-filter.tsx';
import { ListNotice } from '#ui/lists/list-notice.tsx';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { ListActions } from './list-actions.tsx';
import { dashboardFilterLabels } from './dashboard-filter-labels.ts';
import { rememberListPlace } from '#imaging/studies/last-list-address.ts';
import { noFigureFilters, type StudiesSearch } from './studies-search.ts';
import { studyColumns } from './study-columns.tsx';
import { StudyFilters } from './study-filters.tsx';
import { StudyList } from './study-list.tsx';
import { StudyViews } from '#imaging/studies/study-views.tsx';
import { errorDeleting, useStudyDeletion } from './use-study-deletion.tsx';

const route = getRouteApi('/signed-in/shell/studies');

/**
 * Screen /studies: the studies that the user may see. The server filters, sorts and pages. The address holds filters
 * and page. Other features add shortcuts for the focused row.
 */
export function StudiesScreen({ rowShortcuts }: { rowShortcuts: readonly RowShortcut<StudyRow>[] }) {
  const search = route.useSearch();
  const navigate = useNavigate();
  const client = useQueryClient();
  const change = useCallback(
    (next: Partial<StudiesSearch>, { replace = false } = {}) =>
      void navigate({ from: '/studies', to: '/studies', search: (before) => ({ ...before, ...next }), replace }),
    [navigate],
  );
  // A new filter starts at the first page, because it finds other studies.
  const filter = (next: Partial<StudiesSearch>, options?: { replace: boolean }) =>
    change({ ...next, page: undefined, studyId: undefined }, options);
  useEffect(() => rememberListPlace(search), [search]);
  const { removal, askToRemove } = useStudyDeletion();
  const columns = useMemo(() => studyColumns({ onRemove: (study) => void askToRemove(study) }), [askToRemove]);
  const arrangement = useArrangement('studies', columns);
  const textField = useRef<HTMLInputElement>(null);
  useShortcuts(t`Studies`, [
    { keys: '/', does: t`Search studies`, run: () => textField.current?.focus(), hint: t`search` },
  ]);

  return (
    <>
      <ScreenTitle title={t`Studies`} actions={<ListActions arrangement={arrangement} />}>
        <StudyViews current={search.view} onView={(view) => filter({ ...noFigureFilters, view, status: undefined })} />
      </ScreenTitle>
      <StudyFilters
        filter={search}
        textField={textField}
        // Replaces the history entry, so that Back does not undo single keystrokes.
        onFilter={(next) => filter(next, { replace: true })}
        onSubmit={() => void client.invalidateQueries({ queryKey: ['studies'] })}
      />
      <HiddenFilter words={dashboardFilterLabels(search)} onClear={() => filter(noFigureFilters)} />
      {removal.isError && (
        <ListNotice tone="danger" onClose={removal.reset}>
          {errorMessageOf(removal.error, errorDeleting(removal.variables.params))}
        </ListNotice>
      )}
      <StudyList
        key={search.studyId}
        search={search}
        onChange={change}
        arrangement={arrangement}
        rowShortcuts={rowShortcuts}
      />
    </>
  );
}
