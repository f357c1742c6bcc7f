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
  const studyPage = useStudies(search);
  const namedStudy = useNamedStudy(studyId);
  const result = studyId === undefined ? studyPage : namedStudy;
  const showAll = () => onChange(everything);
  return (
    <StudyTable
      {...table}
      label={t`studies`}
      result={result}
      requestKey={JSON.stringify(search)}
      failed={search.query ? t`Error searching studies` : t`Error fetching studies`}
      paging={{ page, size, sort }}
      onPaging={onChange}
      opened={studyId}
    >
      {result.data?.totalElements === 0 && <NoStudies search={search} onClear={showAll} />}
      {studyId !== undefined && !result.isPending && <OnlyThisStudy onShowAll={showAll} />}
    </StudyTable>
  );
}
