import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import type { StudyRow } from '@radwork/contract/imaging/study-rows';
import type { Arrangement } from '#ui/tables/data-table-columns.ts';
import type { RowShortcut } from '#ui/tables/data-table.tsx';
import type { Selection } from '#ui/tables/use-row-selection.ts';
import { NoStudies, OnlyThisStudy } from './no-studies.tsx';
import { everything, type StudiesSearch } from './studies-search.ts';
import { StudyTable } from './study-table.tsx';
import { firstSort, useNamedStudy, useStudies } from './use-studies.ts';

type Props = {
  search: StudiesSearch;
  onChange: (next: Partial<StudiesSearch>, options?: { replace: boolean }) => void;
  arrangement: Arrangement<StudyRow>;
  rowShortcuts: readonly RowShortcut<StudyRow>[];
  selection: Selection<StudyRow> | undefined;
  onCurrent: (study: StudyRow) => void;
  /** Called with the rows of the page. */
  onRows: (rows: readonly StudyRow[]) => void;
};

/** Shows the studies chosen in the address: a page of matching studies, or a single study named by a link. */
export function StudyList({ search, onChange, onRows, ...table }: Props) {
  const { studyId, page, size, sort } = search;
  const studyPage = useStudies(search);
  const namedStudy = useNamedStudy(studyId);
  const result = studyId === undefined ? studyPage : namedStudy;
  const rows = result.data?.content;
  useEffect(() => onRows(rows ?? []), [rows, onRows]);
  const showAll = () => onChange(everything);
  return (
    <StudyTable
      {...table}
      label={t`studies`}
      result={result}
      requestKey={JSON.stringify({ ...search, savedView: undefined })}
      defaultSort={firstSort}
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
