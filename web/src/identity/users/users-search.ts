import { userTypes } from '@radwork/contract/core/access';
import { userSortFields } from '@radwork/contract/identity/users';
import { z } from 'zod';
import { pageInAddress, searchTextParam } from '#core/http/search-params.ts';

const sorts = userSortFields.flatMap((field) => [`${field},asc`, `${field},desc`] as const);

/** Search parameters of the list of users. Invalid values are ignored. */
export const usersSearch = z.object({
  query: searchTextParam,
  userType: z.enum(userTypes).optional().catch(undefined),
  active: z.enum(['true', 'false']).optional().catch(undefined),
  roleId: z.uuid().optional().catch(undefined),
  ...pageInAddress,
  sort: z.enum(sorts).optional().catch(undefined),
});
export type UsersSearch = z.infer<typeof usersSearch>;

export const defaultSize = 25;
export const defaultSort = 'name,asc';

/** Search parameters that clear all filters. */
export const noFilters = {
  query: undefined,
  userType: undefined,
  active: undefined,
  roleId: undefined,
  page: undefined,
} satisfies Partial<UsersSearch>;
