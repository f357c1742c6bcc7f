import { studies } from '@radwork/contract/studies';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { query } from '#core/api.ts';
import type { StudiesSearch } from './studies-search.ts';

export const defaultSize = 10;
export const defaultSort = 'studyDate,desc';

/**
 * The page of studies that an address asks for. The earlier page stays until the new one has arrived, and an answer
 * that comes late is not shown: its request was aborted, and it belongs to another key.
 */
export const useStudies = ({ studyId, page = 0, size = defaultSize, sort = defaultSort, ...filters }: StudiesSearch) =>
  useQuery({
    ...query(studies.search, { query: { ...filters, page, size, sort } }),
    placeholderData: keepPreviousData,
    enabled: studyId === undefined,
  });

/** The one study that an address names, as if it were a page of the list. */
export const useNamedStudy = (studyId: string | undefined) =>
  useQuery({
    ...query(studies.get, { params: { id: studyId ?? '' } }),
    enabled: studyId !== undefined,
    select: (study) => ({ content: [study], totalElements: 1, totalPages: 1, number: 0, size: 1 }),
  });
