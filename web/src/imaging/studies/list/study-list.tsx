import { t } from '@lingui/core/macro';
import type { StudyRow } from '@radwork/contract/imaging/study-rows';
import type { Arrangement } from '#ui/tables/data-table-columns.ts';
import type { RowShortcut } from '#ui/tables/data-table.tsx';
import { NoStudies, OnlyThisStudy } from './no-studies.tsx';
import { noFigureFilters, type StudiesSearch } from './studies-search.ts';
import { StudyTable } from './study-table.tsx';
import { useNamedStudy, useStudies } from './use-studies.ts';

type Props = {
  search: StudiesSearch;
  onChange: (next: Partial<StudiesSearch>, options?: { replace: boolean }) => void;
  arrangement: Arrangement<StudyRow>;
  rowShortcuts: readonly RowShortcut<StudyRow>[];
};

const everything = {
  view: undefined,
  query: undefined,
  modality: undefined,
  status: undefined,
  startDate: undefined,
  endDate: undefined,
  ...noFigureFilters,
  studyId: undefined,
  page: undefined,
} satisfies Partial<StudiesSearch>;

/** Shows the studies chosen in the address: a page of matching studies, or a single study named by a link. */
export function StudyList({ search, onChange, ...table }: Props) {
  const { studyId, page, size, sort } = search;
  const listed = useStudies(search);
  const named = useNamedStudy(studyId);
  const shown = studyId === undefined ? listed : named;
  const showAll = () => onChange(everything);
  return (
    <StudyTable
      {...table}
      label={t`studies`}
      shown={shown}
      asked={JSON.stringify(search)}
      failed={search.query ? t`Error searching studies` : t`Error fetching studies`}
      paging={{ page, size, sort }}
      onPaging={onChange}
      opened={studyId}
    >
      {shown.data?.totalElements === 0 && <NoStudies search={search} onClear={showAll} />}
      {studyId !== undefined && !shown.isPending && <OnlyThisStudy onShowAll={showAll} />}
    </StudyTable>
  );
}
