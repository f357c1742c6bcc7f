import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { studyExport } from '@radwork/contract/imaging/study-export';
import type { SavedView } from '@radwork/contract/imaging/saved-views';
import type { StudyRow } from '@radwork/contract/imaging/study-rows';
import { IconDownload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { errorMessageOf } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { useArrangement } from '#ui/tables/data-table-columns.ts';
import type { RowShortcut } from '#ui/tables/data-table.tsx';
import { partOnDemand, usePrefetchWhenIdle } from '#ui/feedback/on-demand.tsx';
import { HiddenFilter } from '#ui/lists/hidden-filter.tsx';
import { ListNotice } from '#ui/lists/list-notice.tsx';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { useDefaultView } from '#imaging/studies/saved-views/use-default-view.ts';
import { ConditionChips } from './condition-chips.tsx';
import type { Person } from './condition-labels.ts';
import { ListActions } from './list-actions.tsx';
import { dashboardFilterLabels } from './dashboard-filter-labels.ts';
import { rememberListPlace } from '#imaging/studies/last-list-address.ts';
import { SelectionBar } from './selection-bar.tsx';
import { everything, noFigureFilters, studiesSearch, type StudiesSearch } from './studies-search.ts';
import { studyColumns } from './study-columns.tsx';
import { StudyFilters } from './study-filters.tsx';
import { StudyList } from './study-list.tsx';
import styles from './studies-screen.module.css';
import { StudyViews } from '#imaging/studies/study-views.tsx';
import { errorDeleting, useStudyDeletion } from './use-study-deletion.tsx';
import { useStudies } from './use-studies.ts';
import { useStudyExport } from './use-study-export.ts';
import { useStudySelection } from './use-study-selection.ts';

const StudyPreview = partOnDemand(async () => (await import('./study-preview.tsx')).StudyPreview);

const route = getRouteApi('/signed-in/shell/studies');

/** Selected studies, for the actions that other features offer. */
export type SelectedStudies = { ids: readonly string[]; onDone: () => void };

type Props = {
  /** Shortcuts for the focused row. */
  rowShortcuts: readonly RowShortcut<StudyRow>[];
  /** Users to whom studies can be assigned, for filters. */
  people: readonly Person[];
  /** Returns buttons that change the selected studies. Absent for users who may not change studies. */
  actionsOn?: ((selected: SelectedStudies) => ReactNode) | undefined;
};

/**
 * Screen /studies: the studies that the user may see. The server filters, sorts and pages. The address holds filters
 * and page. Other features add shortcuts for the focused row, and actions on the selected rows.
 */
export function StudiesScreen({ rowShortcuts, people, actionsOn }: Props) {
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
  const openView = useCallback(
    ({ id, search: saved }: SavedView, options?: { replace: boolean }) =>
      change({ ...everything, sort: undefined, ...studiesSearch.parse(saved), savedView: id }, options),
    [change],
  );
  useEffect(() => rememberListPlace(search), [search]);
  useDefaultView(search, openView);
  const { removal, askToRemove } = useStudyDeletion();
  const columns = useMemo(() => studyColumns({ onRemove: (study) => void askToRemove(study) }), [askToRemove]);
  const arrangement = useArrangement('studies', columns);
  const { selection, ids, selectAll, clear } = useStudySelection(search);
  const exportList = useStudyExport(search, arrangement);
  const mayExport = may(studyExport);
  const preview = usePreview();
  const textField = useRef<HTMLInputElement>(null);
  useShortcuts(t`Studies`, [
    { keys: '/', does: t`Search studies`, run: () => textField.current?.focus(), hint: t`search` },
  ]);

  return (
    <>
      <ScreenTitle
        title={t`Studies`}
        actions={
          <ListActions
            arrangement={arrangement}
            search={search}
            onSaved={(savedView) => change({ savedView })}
            onExport={mayExport ? () => exportList.mutate(undefined) : undefined}
          />
        }
      >
        <StudyViews
          current={search.view}
          savedView={search.savedView}
          onView={(view) =>
            filter({
              // Leaving a saved view also removes its filters and its order.
              ...(search.savedView ? { ...everything, sort: undefined } : noFigureFilters),
              view,
              status: undefined,
              savedView: undefined,
            })
          }
          onSavedView={openView}
        />
      </ScreenTitle>
      <StudyFilters
        filter={search}
        textField={textField}
        // Replaces the history entry, so that Back does not undo single keystrokes.
        onFilter={(next) => filter(next, { replace: true })}
        onSubmit={() => void client.invalidateQueries({ queryKey: ['studies'] })}
      />
      <ConditionChips search={search} people={people} onFilter={filter} />
      <HiddenFilter words={dashboardFilterLabels(search)} onClear={() => filter(noFigureFilters)} />
      {ids.length > 0 && (
        <Selected search={search} count={ids.length} selectAll={selectAll} onClear={clear}>
          {actionsOn?.({ ids, onDone: clear })}
          {mayExport && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconDownload size={14} stroke={1.7} aria-hidden />}
              loading={exportList.isPending}
              onClick={() => exportList.mutate(ids)}
            >
              {t`Export CSV`}
            </Button>
          )}
        </Selected>
      )}
      {removal.isError && (
        <ListNotice tone="danger" onClose={removal.reset}>
          {errorMessageOf(removal.error, errorDeleting(removal.variables.params))}
        </ListNotice>
      )}
      <div className={styles.body}>
        <div className={styles.list}>
          <StudyList
            key={search.studyId}
            search={search}
            onChange={change}
            arrangement={arrangement}
            rowShortcuts={[
              { keys: ' ', does: t`Show or hide preview`, hint: t`preview`, run: preview.toggle },
              ...rowShortcuts,
            ]}
            selection={actionsOn || mayExport ? selection : undefined}
            onCurrent={preview.follow}
            onRows={preview.renew}
          />
        </div>
        {preview.study && <StudyPreview study={preview.study} onClose={preview.close} />}
      </div>
    </>
  );
}

type SelectedProps = {
  search: StudiesSearch;
  count: number;
  selectAll: ReturnType<typeof useStudySelection>['selectAll'];
  onClear: () => void;
  children: ReactNode;
};

function Selected({ search, count, selectAll, onClear, children }: SelectedProps) {
  const { data } = useStudies(search);
  return (
    <SelectionBar
      count={count}
      total={data}
      isSelectingAll={selectAll.isPending}
      onSelectAll={() => selectAll.mutate()}
      onClear={onClear}
    >
      {children}
    </SelectionBar>
  );
}

/** State of the preview: the study that it shows, and functions for the list. */
const usePreview = () => {
  const [study, setStudy] = useState<StudyRow>();
  usePrefetchWhenIdle(StudyPreview);
  return {
    study,
    close: useCallback(() => setStudy(undefined), []),
    toggle: useCallback((next: StudyRow) => setStudy((shown) => (shown?.id === next.id ? undefined : next)), []),
    /** Shows the row that became the current one, if the preview is open. */
    follow: useCallback((next: StudyRow) => setStudy((shown) => shown && next), []),
    /** Shows newer data of the same study, such as who reads it. */
    renew: useCallback(
      (rows: readonly StudyRow[]) => setStudy((shown) => shown && (rows.find(({ id }) => id === shown.id) ?? shown)),
      [],
    ),
  };
};
