import { patients } from '@radwork/contract/patients';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { query } from '#core/api.ts';
import { defaultSize, defaultSort, type PatientsSearch } from './patients-search.ts';

/**
 * The page of patients that an address asks for. The earlier page stays until the new one has arrived, and an answer
 * that comes late is not shown: its request was aborted, and it belongs to another key.
 */
export const usePatients = ({ page = 0, size = defaultSize, sort = defaultSort, ...filters }: PatientsSearch) =>
  useQuery({
    ...query(patients.list, { query: { ...filters, page, size, sort } }),
    placeholderData: keepPreviousData,
  });
