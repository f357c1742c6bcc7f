import { Button } from '@mantine/core';
import { archive } from '@radwork/contract/archive';
import { pageSizes } from '@radwork/contract/paging';
import type { StudyRow } from '@radwork/contract/studies';
import { IconSearchOff, IconUpload } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { may } from '#core/session.ts';
import { DataTable } from '#ui/data-table.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { EmptyState, ErrorState } from '#ui/states.tsx';
import { SeriesList } from './series-list.tsx';
import { studiesSearch, type StudiesSearch } from './studies-search.ts';
import { viewerPath } from './study-actions.tsx';
import { studyColumns } from './study-columns.tsx';
import { useDensity } from './use-density.ts';
import { defaultSize, defaultSort, useNamedStudy, useStudies } from './use-studies.ts';

type Props = {
  search: StudiesSearch;
  onChange: (next: Partial<StudiesSearch>, options?: { replace: boolean }) => Promise<void>;
  onRemove: (study: StudyRow) => Promise<void>;
};

const noFilters = {
  query: undefined,
  modality: undefined,
  status: undefined,
  startDate: undefined,
  endDate: undefined,
  studyId: undefined,
  page: undefined,
};

/** The rows an address asks for, and the way to the others. */
export function StudyTable({ search, onChange, onRemove }: Props) {
  const { studyId, size = defaultSize, sort = defaultSort } = search;
  const listed = useStudies(search);
  const named = useNamedStudy(studyId);
  const shown = studyId === undefined ? listed : named;
  const navigate = useNavigate();
  const [density] = useDensity();
  const columns = useMemo(() => studyColumns((study) => void onRemove(study)), [onRemove]);
  const clearFilters = () => void onChange(noFilters);
  useReturnFromBeyond(shown.data, onChange);

  return (
    <>
      <DataTable
        label="studies"
        items={shown.data?.content}
        idOf={({ id }) => id}
        columns={columns}
        sort={sort}
        onSort={(next) => void onChange({ sort: studiesSearch.shape.sort.parse(next), page: undefined })}
        details={{ label: 'series', show: ({ id }) => <SeriesList studyId={id} /> }}
        opened={studyId === undefined ? [] : [studyId]}
        onOpen={({ id }) => void navigate({ to: '/studies/$id', params: { id } })}
        rowShortcuts={[
          {
            keys: 'v',
            does: 'Open the viewer',
            hint: 'viewer',
            run: (study) => void navigate({ to: viewerPath(study), params: { id: study.id } }),
          },
        ]}
        density={density}
        isRefreshing={shown.isPlaceholderData}
      >
        {shown.isError && (
          <ErrorState
            failed={search.query ? 'Error searching studies' : 'Error fetching studies'}
            error={shown.error}
            onRetry={() => void shown.refetch()}
            action={studyId !== undefined && <Button onClick={clearFilters}>Show all studies</Button>}
          />
        )}
        {shown.data?.totalElements === 0 && <NoStudies search={search} onClear={clearFilters} />}
        {studyId !== undefined && shown.data && (
          <EmptyState
            title="Only this study is shown"
            action={
              <Button variant="default" onClick={clearFilters}>
                Show all studies
              </Button>
            }
          />
        )}
      </DataTable>
      {shown.data && (
        <Pagination
          page={shown.data.number}
          size={size}
          totalElements={shown.data.totalElements}
          totalPages={shown.data.totalPages}
          onPage={(page) => void onChange({ page })}
          onSize={(next) => void onChange({ size: pageSizes.find((choice) => choice === next), page: undefined })}
        />
      )}
    </>
  );
}

/** A page past the end is empty, after a deletion for example; the last one that is not is shown instead. */
const useReturnFromBeyond = (page: { number: number; totalPages: number } | undefined, onChange: Props['onChange']) => {
  const last = page && page.totalPages > 0 && page.number >= page.totalPages ? page.totalPages - 1 : undefined;
  useEffect(() => {
    if (last !== undefined) void onChange({ page: last || undefined }, { replace: true });
  }, [last, onChange]);
};

function NoStudies({ search, onClear }: { search: StudiesSearch; onClear: () => void }) {
  const isFiltered = [search.query, search.modality, search.status, search.startDate, search.endDate].some(Boolean);
  if (isFiltered) {
    return (
      <EmptyState
        icon={IconSearchOff}
        title="No studies match these filters"
        detail="Try a wider date range, or fewer filters."
        action={
          <Button variant="default" onClick={onClear}>
            Clear filters
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      title="No studies yet"
      detail="Studies appear here as soon as their images arrive."
      action={
        may(archive.store) && (
          <Button
            leftSection={<IconUpload size={16} />}
            renderRoot={(props) => <Link to="/studies/create" {...props} />}
          >
            Upload images
          </Button>
        )
      }
    />
  );
}
