import { allSamples } from './all-samples.ts';

/**
 * The expected reply to each type of caller, written by hand for review in the feature.samples.ts of each
 * feature. `access-matrix.test.ts` makes every call of the server's OpenAPI document in every way listed there and
 * compares the replies. The lines do not read the contract, so a permission changed there by mistake is found.
 *
 * Each line is one operation, with these columns:
 * - asks for: a permission, "authenticated" for any session, or "public"
 * - anonymous: the reply without a session
 * - own: the replies to users about data of their tenant, by type of user: SUPER_ADMIN, ADMIN, RADIOLOGIST,
 *   REFERRING_PHYSICIAN, PATIENT
 * - elsewhere: the reply about data of another tenant, identical to the reply about missing data. "none" when the URL
 *   names no data, or when it names a tenant, which is for super administrators
 * - header: the reply to users who are no super administrators and name another tenant in x-tenantid
 * - visitor: the reply to a super administrator of another tenant who names this tenant in x-tenantid
 *
 * A number is a status. 403 means "Access denied" before body and ids are read. Two other values occur for calls that
 * change data. With "may" the caller is let in, and the body decides the result. With "rule" the caller is let in but
 * gets 403, because the work belongs to another user.
 */
const tables = allSamples.map(({ access = '' }) => access);

/** The expected replies of one operation. */
export type Line = {
  operation: string;
  /** The required permission. */
  access: string;
  anonymous: string;
  /** The reply to each type of user, in the order of `userTypes`. */
  own: string[];
  elsewhere: string;
  withHeader: string;
  visitor: string;
};

const lineOf = (text: string): Line => {
  const words = text.trim().split(/ +/);
  const [method, path, access, anonymous, ...rest] = words;
  const [elsewhere, withHeader, visitor] = rest.slice(5);
  if (!access || !anonymous || !elsewhere || !withHeader || !visitor || words.length !== 12) {
    throw new Error(`A line of the access matrix has twelve words: ${text}`);
  }
  return { operation: `${method} ${path}`, access, anonymous, own: rest.slice(0, 5), elsewhere, withHeader, visitor };
};

export const accessMatrix: readonly Line[] = tables
  .flatMap((table) => table.split('\n'))
  .filter((line) => /^\s*(GET|POST|PUT|PATCH|DELETE) /.test(line))
  .map(lineOf);
