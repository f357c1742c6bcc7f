import { t } from '@lingui/core/macro';
import { mostSelected, studies } from '@radwork/contract/imaging/studies';
import type { StudyRow } from '@radwork/contract/imaging/study-rows';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { call, errorMessageOf } from '#core/http/api.ts';
import { toast } from '#core/browser/toasts.ts';
import type { Selection } from '#ui/tables/use-row-selection.ts';
import type { StudiesSearch } from './studies-search.ts';
import { searchCallOf } from './use-studies.ts';

const none: ReadonlySet<string> = new Set();

const labelOf = ({ patient }: StudyRow): string => {
  const name = patient.patientName;
  return t`Select study of ${name}`;
};

/**
 * Selected studies of the list. The selection survives a change of page and order. It ends when the filters change,
 * because it would then contain studies that the user no longer sees.
 */
export const useStudySelection = (search: StudiesSearch) => {
  const filters = filtersOf(search);
  const [state, setState] = useState({ filters, selected: none });
  const selected = state.filters === filters ? state.selected : none;
  const onSelect = useCallback(
    (ids: readonly string[], isSelected: boolean) =>
      setState((before) => {
        const known = before.filters === filters ? before.selected : none;
        const changed = new Set(ids);
        const others = [...known].filter((id) => !changed.has(id));
        const next: ReadonlySet<string> = new Set(isSelected ? [...known, ...ids] : others);
        if (next.size <= mostSelected) return { filters, selected: next };
        toast.info(t`Select at most ${mostSelected} studies`);
        return { filters, selected: known };
      }),
    [filters],
  );
  const selectAll = useMutation({
    mutationFn: () => call(studies.matching, { query: searchCallOf(search) }),
    onSuccess: ({ ids }) => setState({ filters, selected: new Set(ids) }),
    onError: (error) => toast.failure(errorMessageOf(error, t`Failed to select the studies`)),
  });
  const selection: Selection<StudyRow> = useMemo(() => ({ selected, onSelect, labelOf }), [selected, onSelect]);
  return {
    selection,
    ids: useMemo(() => [...selected], [selected]),
    selectAll,
    clear: useCallback(() => setState({ filters, selected: none }), [filters]),
  };
};

const filtersOf = ({ page: _page, size: _size, sort: _sort, savedView: _view, ...filters }: StudiesSearch): string =>
  JSON.stringify(filters);
