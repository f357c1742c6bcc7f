import {
  type ArrivalConditions,
  type ArrivalFacts,
  conditionsHold,
  type LocalMoment,
} from '@radwork/contract/imaging/arrival-conditions';
import type { PassCause, RuleAssigneeKind } from '@radwork/contract/reading/assignment-rules';

/** A rule as it is judged. */
export type Rule = {
  isActive: boolean;
  conditions: ArrivalConditions;
  assignee: { kind: RuleAssigneeKind; id: string | null };
  mostOpen: number | null;
  /** The user whom the rule chose last. */
  lastUserId: string | null;
};

/** A user whom a rule may choose. */
export type Candidate = {
  id: string;
  name: string;
  /** Whether studies can be assigned to the user. */
  isAssignable: boolean;
  isRadiologist: boolean;
  /** Groups to whose studies the user is limited; null for a user who sees all studies. */
  limitedTo: readonly string[] | null;
  /** Number of open studies that are assigned to the user. */
  open: number;
};

/** Users and groups that rules name. A deleted user or group is missing. */
export type Candidates = {
  users: ReadonlyMap<string, Candidate>;
  groups: ReadonlyMap<string, { name: string; memberIds: readonly string[] }>;
};

export type JudgedStudy = ArrivalFacts & {
  /** Groups of the study. A limited user sees it only through one of them. */
  groupIds: readonly string[];
  /** Whether the study was too old for rules when it arrived. */
  isOld: boolean;
};

/** Rules that matched but found no assignee, by their place. */
type Passed = { rule: number; cause: PassCause };

export type Outcome = {
  /** Place of the rule that assigns the study, and its assignee. Undefined if none does. */
  choice: { rule: number; kind: 'USER' | 'GROUP'; id: string } | undefined;
  passed: Passed[];
};

/** A study at a moment on the clock of the organization. */
export type Case = { study: JudgedStudy; moment: LocalMoment };

/**
 * Returns what rules do with a study. The first rule whose conditions hold and that finds an assignee decides. No rule
 * takes an old study. Live assignments and dry runs both use this function; it reads and changes nothing else.
 */
export const evaluate = (rules: readonly Rule[], candidates: Candidates, { study, moment }: Case): Outcome => {
  const passed: Passed[] = [];
  if (study.isOld) return { choice: undefined, passed };
  for (const [place, rule] of rules.entries()) {
    if (!rule.isActive || !conditionsHold(rule.conditions, study, moment)) continue;
    const found = assigneeOf(rule, candidates, study);
    if (typeof found !== 'string') return { choice: { rule: place, ...found }, passed };
    passed.push({ rule: place, cause: found });
  }
  return { choice: undefined, passed };
};

type Found = { kind: 'USER' | 'GROUP'; id: string };

const assigneeOf = (rule: Rule, { users, groups }: Candidates, study: JudgedStudy): Found | PassCause => {
  const { kind, id } = rule.assignee;
  const group = groups.get(id ?? '');
  if (kind !== 'USER' && !group) return 'DELETED';
  const usersOf = (ids: readonly string[]) => ids.flatMap((userId) => users.get(userId) ?? []);
  const active = usersOf(kind === 'USER' ? [id ?? ''] : (group?.memberIds ?? [])).filter(
    // Only a named user may be a referring physician. A group without a radiologist would read nothing.
    ({ isAssignable, isRadiologist }) => isAssignable && (kind === 'USER' || isRadiologist),
  );
  if (active.length === 0) return 'NO_READER';
  // The group becomes a group of the study, so its members see it.
  if (kind === 'GROUP') return { kind, id: id ?? '' };
  const seeing = active.filter(({ limitedTo }) => limitedTo === null || sharesOne(limitedTo, study.groupIds));
  if (seeing.length === 0) return 'HIDDEN';
  const free = seeing.filter(({ open }) => rule.mostOpen === null || open < rule.mostOpen);
  const [next] = free.toSorted(byTurn(rule.lastUserId));
  return next ? { kind: 'USER', id: next.id } : 'FULL';
};

const sharesOne = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((value) => others.includes(value));

/** Orders users by open studies, then in turn: those with a later id than the user of the last turn come first. */
const byTurn = (lastUserId: string | null) => (one: Candidate, other: Candidate) =>
  one.open - other.open ||
  Number(isBefore(lastUserId, other)) - Number(isBefore(lastUserId, one)) ||
  (one.id < other.id ? -1 : 1);

const isBefore = (lastUserId: string | null, { id }: Candidate): boolean => lastUserId !== null && lastUserId < id;
