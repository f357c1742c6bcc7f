import { setTimeout as wait } from 'node:timers/promises';
import { studyMoves, type StudyStatus } from '../../../contract/src/imaging/study-status.ts';
import type { Caller } from './caller.ts';
import { type Clinic, isReferring, type SignedInPerson } from './clinic-users.ts';

const oneOf = <T>(values: readonly T[]): T => {
  const value = values[Math.floor(Math.random() * values.length)];
  if (value === undefined) throw new Error('There is nothing to choose from');
  return value;
};

/** The time of each change by kind of event and study, to measure the delay of listeners. */
export type ChangeTimes = Map<string, number>;

export const keyOf = (kind: string, studyId: string): string => `${kind} ${studyId}`;

/** A radiologist changes the status of one of the newest studies. */
const changeStatus = async (call: Caller, { people, studies }: Clinic, changeTimes: ChangeTimes) => {
  const open = studies.slice(0, 200).filter(({ status }) => status in studyMoves && nextOf(status) !== undefined);
  const study = oneOf(open);
  const next = nextOf(study.status);
  if (next === undefined) return;
  study.status = next;
  changeTimes.set(keyOf('study', study.id), performance.now());
  await call(radiologistIn(people).token, {
    kind: 'status change',
    method: 'PUT',
    path: `/api/workflow/studies/${study.id}/status?newStatus=${next}`,
  });
};

const nextOf = (status: string): StudyStatus | undefined => {
  switch (status) {
    case 'PENDING':
    case 'ASSIGNED':
      return 'IN_PROGRESS';
    case 'IN_PROGRESS':
      return 'COMPLETED';
    case 'COMPLETED':
      return 'ARCHIVED';
    default:
      return undefined;
  }
};

const radiologistIn = (people: readonly SignedInPerson[]) =>
  oneOf(people.filter((person, index) => !isReferring(person, index)));

/** Writes a message about a study and mentions a colleague, who is notified. */
const write = async (call: Caller, { people, studies }: Clinic, conversations: number, changeTimes: ChangeTimes) => {
  const { id } = oneOf(studies.slice(0, conversations));
  changeTimes.set(keyOf('chat', id), performance.now());
  await call(radiologistIn(people).token, {
    kind: 'message',
    method: 'POST',
    path: '/api/chat/send',
    body: { conversationId: id, text: `Please look at the third series, @${radiologistIn(people).username}` },
  });
};

type Pace = { conversations: number; perSecond: number };

/** Makes changes until the signal aborts: status and message in turn, in random clinics. */
export const makeChanges = async (
  call: Caller,
  clinics: readonly Clinic[],
  { conversations, perSecond }: Pace,
  changeTimes: ChangeTimes,
  signal: AbortSignal,
): Promise<void> => {
  for (let count = 0; !signal.aborted; count += 1) {
    const clinic = oneOf(clinics);
    void (count % 2 === 0 ? changeStatus(call, clinic, changeTimes) : write(call, clinic, conversations, changeTimes));
    await wait(1000 / perSecond, undefined, { signal }).catch(() => {});
  }
};
