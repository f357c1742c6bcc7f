import { patients } from '@radwork/contract/imaging/patients';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { defaultSize, defaultSort, type PatientsSearch } from './list/patients-search.ts';

/**
 * Loads the page of patients chosen in the address. The previous page stays visible until the new page arrives. A late
 * response is never shown, because its request was aborted and has another key.
 */
export const usePatients = ({ page = 0, size = defaultSize, sort = defaultSort, ...filters }: PatientsSearch) =>
  useQuery({
    ...query(patients.list, { query: { ...filters, page, size, sort } }),
    placeholderData: keepPreviousData,
  });
