import { allSamples, samplesByFeature } from './all-samples.ts';

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

const linesOf = (table: string): Line[] =>
  table
    .split('\n')
    .filter((line) => /^\s*(GET|POST|PUT|PATCH|DELETE) /.test(line))
    .map(lineOf);

/** The lines of all features, by operation. */
export const matrixLines: ReadonlyMap<string, Line> = new Map(
  tables.flatMap(linesOf).map((line) => [line.operation, line]),
);

/** Limits the walk to one feature, for the author of the feature: ACCESS_MATRIX_OF=scanners. */
const feature = process.env.ACCESS_MATRIX_OF;

/**
 * Whether the walk calls an operation: without a feature always, else when a line of the feature names it or its path
 * begins with the name of the feature.
 */
export const isWalked = (operation: string): boolean =>
  feature === undefined ||
  new RegExp(`^[A-Z]+ /api/${feature}(/|$)`).test(operation) ||
  linesOf(samplesByFeature.get(feature)?.access ?? '').some((line) => line.operation === operation);

/** Returns lines with their header, aligned as `access` of a feature.samples.ts has them. */
const aligned = (lines: readonly Line[]): string => {
  const header = [
    '',
    '',
    'asks for',
    'anonymous',
    'SUPE',
    'ADMI',
    'RADI',
    'REFE',
    'PATI',
    'elsewhere',
    'header',
    'visitor',
  ];
  const rows = lines.map(({ operation, access, anonymous, own, elsewhere, withHeader, visitor }) => {
    const [method = '', path = ''] = operation.split(' ');
    return [method.padEnd('DELETE'.length), path, access, anonymous, ...own, elsewhere, withHeader, visitor];
  });
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)));
  return [header, ...rows]
    .map((row) => `    ${row.map((word, column) => word.padEnd(widths[column] ?? 0)).join(' ')}`.trimEnd())
    .join('\n');
};

/** Returns what the server answers otherwise than the matrix says, as text to copy; empty when nothing differs. */
export const differencesFrom = (observed: readonly Line[]): string => {
  const added = observed.filter(({ operation }) => !matrixLines.has(operation));
  const pairs = observed.flatMap((is) => {
    const written = matrixLines.get(is.operation);
    return written && aligned([written]) !== aligned([is]) ? [{ written, is }] : [];
  });
  const blocks = [
    ...(added.length > 0
      ? [['Judge each line. If it is right, copy it to the feature.samples.ts of its feature:', aligned(added)]]
      : []),
    ...(pairs.length > 0
      ? [
          ['Written in feature.samples.ts:', aligned(pairs.map(({ written }) => written))],
          ['Answered by the server:', aligned(pairs.map(({ is }) => is))],
        ]
      : []),
  ];
  return blocks.map(([title, lines]) => `${title}\n\n${lines}\n`).join('\n');
};
