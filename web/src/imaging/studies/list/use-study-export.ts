import { plural, t } from '@lingui/core/macro';
import { exportedColumns, studyExport, type StudyExportForm } from '@radwork/contract/imaging/study-export';
import type { StudyRow } from '@radwork/contract/imaging/study-rows';
import { useMutation } from '@tanstack/react-query';
import { callStream, errorMessageOf } from '#core/http/api.ts';
import { saveFile } from '#core/browser/save-file.ts';
import { toast } from '#core/browser/toasts.ts';
import type { Arrangement } from '#ui/tables/data-table-columns.ts';
import type { StudiesSearch } from './studies-search.ts';
import { searchCallOf } from './use-studies.ts';

/** Time-out of an export, in milliseconds. */
const patience = 5 * 60_000;

/** Downloads studies as CSV with the columns shown: these studies, or all that the list finds. */
export const useStudyExport = (search: StudiesSearch, arrangement: Arrangement<StudyRow>) =>
  useMutation({
    mutationFn: async (studyIds: readonly string[] | undefined) => {
      const { page: _page, size: _size, ...filters } = searchCallOf(search);
      const form: StudyExportForm = {
        search: filters,
        columns: arrangement.visible.flatMap(({ id }) => exportedColumns.find((column) => column === id) ?? []),
        ...(studyIds && { studyIds: [...studyIds] }),
      };
      const answer = await callStream('', studyExport, { body: JSON.stringify(form), timeout: patience });
      return { content: await answer.blob(), count: studyIds?.length };
    },
    onSuccess: ({ content, count }) => {
      saveFile(`studies-${new Date().toISOString().slice(0, 10)}.csv`, content);
      toast.success(
        count === undefined ? t`List exported` : t`${plural(count, { one: '# study', other: '# studies' })} exported`,
      );
    },
    onError: (error) => toast.failure(errorMessageOf(error, t`Failed to export the list`)),
  });
