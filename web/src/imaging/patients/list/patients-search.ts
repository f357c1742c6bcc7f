import { ages, genders, patientSortFields } from '@radwork/contract/imaging/patients';
import { z } from 'zod';
import { pageInAddress, searchTextParam } from '#core/http/search-params.ts';

const sorts = patientSortFields.flatMap((field) => [`${field},asc`, `${field},desc`] as const);
const age = z.coerce.number().int().min(ages.least).max(ages.most).optional().catch(undefined);

/** Filters of the patient list, stored in the address. Invalid values are ignored. */
export const patientsSearch = z.object({
  searchQuery: searchTextParam,
  gender: z.enum(genders).optional().catch(undefined),
  minAge: age,
  maxAge: age,
  fromDate: searchTextParam,
  toDate: searchTextParam,
  ...pageInAddress,
  sort: z.enum(sorts).optional().catch(undefined),
});
export type PatientsSearch = z.infer<typeof patientsSearch>;

export const defaultSize = 10;
export const defaultSort = 'patientName,asc';

/** Search parameters that clear all filters. */
export const noFilters = {
  searchQuery: undefined,
  gender: undefined,
  minAge: undefined,
  maxAge: undefined,
  fromDate: undefined,
  toDate: undefined,
  page: undefined,
} satisfies Partial<PatientsSearch>;
