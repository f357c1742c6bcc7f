import type { StudyOutcome } from '@radwork/contract/reading/bulk-changes';
import { announce } from '#core/live/announce.ts';
import { notFound, orNotFound, Problem } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { mayKnowStudy } from '#core/access/study-access.ts';
import { anyOf } from '#core/values/any-of.ts';
import { type StoredStudy, studyById, studyToChange } from '#imaging/studies/study-rows.ts';

/** A change of one study of many. `Plan` is what `check` found out for `write`. */
type Change<Plan> = {
  /** Throws a problem for a study that is refused. Returns a reason if the study stays as it is. */
  check: (study: StoredStudy) => Promise<{ plan: Plan } | { unchanged: string }>;
  write: (study: StoredStudy, plan: Plan) => Promise<void>;
  /** State of a study that an undo needs. */
  before?: (study: StoredStudy) => string;
};

/**
 * Changes studies one after another in the transaction of the call. Refusals concern one study each; any other error
 * ends the whole act. Throws 404 when the caller may see none of the studies. Studies are locked in the order of their
 * ids, so that two acts never wait for each other.
 */
export const changeEach = async <Plan>(
  scope: Scope,
  { studyIds, isDryRun }: { studyIds: readonly string[]; isDryRun: boolean },
  change: Change<Plan>,
): Promise<{ outcomes: StudyOutcome[]; changed: string[] }> => {
  const byId = new Map<string, StudyOutcome & { isMissing: boolean }>();
  for (const studyId of [...new Set(studyIds)].toSorted()) {
    byId.set(studyId, await outcomeOf(scope, studyId, isDryRun, change));
  }
  const found = [...new Set(studyIds)].flatMap((id) => byId.get(id) ?? []);
  if (found.every(({ isMissing }) => isMissing)) throw notFound('study');
  const outcomes = found.map(({ isMissing: _isMissing, ...outcome }) => outcome);
  const changed = isDryRun ? [] : outcomes.flatMap(({ studyId, outcome }) => (outcome === 'CHANGED' ? studyId : []));
  await announceOnce(scope, changed);
  return { outcomes, changed };
};

/** Throws 404 when the caller may see none of these studies. Other fields of a call are judged after this. */
export const assertSomeKnown = async ({ db, session }: Scope, studyIds: readonly string[]): Promise<void> => {
  const known = await db
    .selectFrom('studies as s')
    .select('s.id')
    .where('s.id', '=', anyOf(studyIds))
    .where('s.deleted_at', 'is', null)
    .where(mayKnowStudy(session, 's.id'))
    .limit(1)
    .executeTakeFirst();
  orNotFound(known, 'study');
};

const outcomeOf = async <Plan>(
  scope: Scope,
  studyId: string,
  isDryRun: boolean,
  { check, write, before = () => '' }: Change<Plan>,
): Promise<StudyOutcome & { isMissing: boolean }> => {
  const isMissing = false;
  try {
    const study = await (isDryRun ? studyById : studyToChange)(scope, studyId);
    const result = await check(study);
    if ('unchanged' in result)
      return { studyId, outcome: 'UNCHANGED', reason: result.unchanged, before: '', isMissing };
    if (!isDryRun) await write(study, result.plan);
    return { studyId, outcome: 'CHANGED', reason: '', before: before(study), isMissing };
  } catch (error) {
    // A problem is thrown before the first write, so the transaction is still whole.
    if (!(error instanceof Problem)) throw error;
    return { studyId, outcome: 'REFUSED', reason: error.message, before: '', isMissing: error.status === 404 };
  }
};

const announceOnce = async (scope: Scope, changed: readonly string[]): Promise<void> => {
  const [studyId, ...others] = changed;
  if (studyId === undefined) return;
  await announce(scope, others.length === 0 ? { kind: 'study', studyId } : { kind: 'studies' });
};
