import { patients } from '@radwork/contract/imaging/patients';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { defaultSize, defaultSort, type PatientsSearch } from './list/patients-search.ts';

/**
 * Loads the page of patients that matches the address. The earlier page stays until the new one arrives. A late answer
 * is not shown: its request was aborted, and it has another key.
 */
export const usePatients = ({ page = 0, size = defaultSize, sort = defaultSort, ...filters }: PatientsSearch) =>
  useQuery({
    ...query(patients.list, { query: { ...filters, page, size, sort } }),
    placeholderData: keepPreviousData,
  });
