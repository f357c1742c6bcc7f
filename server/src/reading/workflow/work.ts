import {
  movesFor,
  refuseAssigner,
  refuseAssigning,
  refuseReinstating,
  refuseStatusChange,
  type WorkFacts,
  type WorkRefusal,
} from '@radwork/contract/reading/workflow-rights';
import type { StudyWork } from '@radwork/contract/reading/workflow';
import { Problem } from '#core/http/problem.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { type StoredStudy, studyById } from '#imaging/studies/study-rows.ts';
import { assignmentsOf } from './assignment-rows.ts';
import { groupAssignmentsOf } from './group-assignment-rows.ts';

/** Returns the facts that decide what the caller may do with a study. */
export const factsOf = ({ status }: Pick<StoredStudy, 'status'>, session: Session): WorkFacts => ({
  status,
  permissions: session.roles.flatMap(({ permissions }) => permissions),
  isMember: session.homeTenantId === undefined,
});

/** Throws a Problem with the reason if the work is refused. */
export const assertNot = (refusal: WorkRefusal | undefined): void => {
  if (!refusal) return;
  throw new Problem(refusal.status, refusal.status === 403 ? 'access.denied' : 'study.state', refusal.reason);
};

/** Returns status, assignments and possible actions of the caller for a study. */
export const workOn = async (scope: Scope, studyId: string): Promise<StudyWork> => {
  const study = await studyById(scope, studyId);
  const facts = factsOf(study, scope.session);
  return {
    status: study.status,
    moves: movesFor(facts),
    revision: study.revision,
    assignments: await assignmentsOf(scope, studyId),
    groupAssignments: await groupAssignmentsOf(scope, studyId),
    refusals: {
      status: refuseStatusChange(facts)?.reason ?? null,
      assigning: refuseAssigning(facts)?.reason ?? null,
      assigner: refuseAssigner(facts)?.reason ?? null,
      reinstating: refuseReinstating(facts)?.reason ?? null,
    },
  };
};
