import { userTypes } from '@radwork/contract/access';
import { userSortFields } from '@radwork/contract/users';
import { z } from 'zod';
import { pageInAddress, wordsInAddress } from '#core/list-address.ts';

const sorts = userSortFields.flatMap((field) => [`${field},asc`, `${field},desc`] as const);

/** What the address of the user list may say. Anything it says wrongly counts as not said. */
export const usersSearch = z.object({
  query: wordsInAddress,
  userType: z.enum(userTypes).optional().catch(undefined),
  active: z.enum(['true', 'false']).optional().catch(undefined),
  roleId: z.uuid().optional().catch(undefined),
  ...pageInAddress,
  sort: z.enum(sorts).optional().catch(undefined),
});
export type UsersSearch = z.infer<typeof usersSearch>;

export const defaultSize = 25;
export const defaultSort = 'name,asc';

/** The filters alone, none of them set. */
export const noFilters = {
  query: undefined,
  userType: undefined,
  active: undefined,
  roleId: undefined,
  page: undefined,
} satisfies Partial<UsersSearch>;
