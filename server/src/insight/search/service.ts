import type { Query, Reply } from '@radwork/contract/core/endpoint';
import { type FoundUser, mostFound, type search } from '@radwork/contract/insight/search';
import { type StudyPage, studySearch } from '@radwork/contract/imaging/studies';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import { hasPermission, type Scope } from '#core/access/scope.ts';
import { searchWordsOf } from '#core/values/search-text.ts';
import { firstWith as firstPatientsWith } from '#imaging/patients/service.ts';
import { newestOf as newestReportsOf, newestWith as newestReportsWith } from '#reading/reports/report-list.ts';
import { search as searchStudies } from '#imaging/studies/study-list.ts';

type SearchReply = Reply<typeof search.everywhere>;

/**
 * Finds everything that the caller may see and that contains every word: patients, studies and reports. With
 * `user.manage`, also users.
 */
export const searchEverywhere = async (
  scope: Scope,
  { q }: Query<typeof search.everywhere>,
  noteSearch: NoteSearch,
): Promise<SearchReply> => {
  const studies = hasPermission(scope.session, 'study.view') ? await studiesWith(scope, q) : undefined;
  const results = {
    patients: hasPermission(scope.session, 'patient.view') ? await firstPatientsWith(scope, q, mostFound) : [],
    studies: studies?.content ?? [],
    reports: hasPermission(scope.session, 'report.view') ? await reportsWith(scope, q, studies) : [],
    users: hasPermission(scope.session, 'user.manage') ? await usersWith(scope, q) : [],
  };
  await noteSearch(scope);
  return results;
};

const studiesWith = (scope: Scope, q: string): Promise<StudyPage> =>
  searchStudies(scope, studySearch.parse({ query: q, size: mostFound }));

/**
 * A report matches if its study matches. If all matching studies are already found, returns their reports without a
 * second search.
 */
const reportsWith = (scope: Scope, q: string, studies: StudyPage | undefined) =>
  studies?.isTotalExact && studies.totalElements <= mostFound
    ? newestReportsOf(
        scope,
        studies.content.map(({ id }) => id),
        mostFound,
      )
    : newestReportsWith(scope, q, mostFound);

const usersWith = async ({ db }: Scope, q: string): Promise<FoundUser[]> => {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username', 'name', 'user_type as userType'])
    .where((is) =>
      is.and(
        searchWordsOf(q).map((word) => is.or(['username', 'name', 'email'].map((field) => matchesWord(field, word)))),
      ),
    )
    .orderBy('username')
    .limit(mostFound)
    .execute();
  return rows;
};

/** There are few users, so no index is needed. */
const matchesWord = (field: string, word: string) =>
  sql<boolean>`lower(${sql.ref(field)}) like lower(${`%${word.replaceAll(/[\\%_]/g, '\\$&')}%`})`;

export type NoteSearch = (scope: Scope) => Promise<void>;

/**
 * Returns a function that audits searches, once a minute for each session and organization. Every typed letter is a
 * search.
 */
export const createSearchNotes = (): NoteSearch => {
  const noted = new Set<string>();
  let minute = 0;
  return async (scope) => {
    const now = Math.floor(Date.now() / 60_000);
    if (now !== minute) noted.clear();
    minute = now;
    const { id, tenantId } = scope.session;
    const search = `${id} ${tenantId}`;
    if (noted.has(search)) return;
    await audit(scope, 'search.run', { entity: 'session', entityId: id });
    scope.afterCommit(() => noted.add(search));
  };
};
