import type { Refusal } from '#imaging/archive/store/ingest-file.ts';
import { type RemoteError, type RemoteInstance } from '#imaging/remote-archives/remote-source.ts';

/** Progress of an import in this run. */
export type Progress = {
  /** SOP Instance UIDs that the archive has listed at any time; undefined before its first list. */
  expected: ReadonlySet<string> | undefined;
  /** Number of instances that the archive reports for the study; can exceed its list. */
  promised: number;
  /** Number of instances known from an earlier run. */
  before: number;
  /** Readable reason why more may be missing than can be counted; empty without such a reason. */
  omission: string;
  /** Expected instances that are in our archive. */
  storedUids: Set<string>;
  /** Reasons for files that were not stored, by SOP Instance UID. */
  refused: Map<string, string>;
  /** Reasons for files that were not stored and whose UID is unknown. */
  refusedNameless: string[];
  /** The error of the last request to the archive. */
  broken: RemoteError | undefined;
};

export type Failure = { sopInstanceUID: string; reason: string };

export const newProgress = (before = 0): Progress => ({
  expected: undefined,
  promised: 0,
  before,
  omission: '',
  storedUids: new Set(),
  refused: new Map(),
  refusedNameless: [],
  broken: undefined,
});

/** Keeps the first of repeated entries for each instance. */
export const onceEach = (listed: readonly RemoteInstance[]): RemoteInstance[] => [
  ...new Map(listed.toReversed().map((instance) => [instance.sopInstanceUID, instance])).values(),
];

/**
 * Adds the archive's current list. An archive may list fewer than before, for example after a restart. Instances listed
 * once stay expected.
 */
export const recordListed = (progress: Progress, listed: readonly RemoteInstance[], promised: number): void => {
  progress.expected = new Set([...(progress.expected ?? []), ...listed.map(({ sopInstanceUID }) => sopInstanceUID)]);
  progress.promised = Math.max(progress.promised, promised);
};

/** Returns the number of expected instances; undefined until the archive has listed them. */
export const countExpected = ({ expected, promised, before }: Progress): number | undefined =>
  expected && Math.max(expected.size, promised, before);

/** True when the archive has listed the study, with at least as many instances as an earlier run knew. */
export const isListed = ({ expected, promised, before }: Progress): boolean =>
  expected !== undefined && Math.max(expected.size, promised) >= before;

export const missingOf = ({ expected, storedUids }: Progress): string[] =>
  [...(expected ?? [])].filter((uid) => !storedUids.has(uid));

export const recordRefusal = (progress: Progress, { sopInstanceUID, name, reason }: Refusal): void => {
  // A file that was requested alone has its UID as name, which helps when it is unreadable.
  const [asked = ''] = name.split(' ');
  const uid = sopInstanceUID ?? (progress.expected?.has(asked) ? asked : undefined);
  if (uid === undefined) progress.refusedNameless.push(reason);
  else progress.refused.set(uid, reason);
};

/** Lists missing instances, and files that should not have come, with reasons. */
export const failuresOf = (progress: Progress): Failure[] => {
  const missing = missingOf(progress);
  const usual = usualReason(progress, missing.length);
  const known = new Set(missing);
  return [
    ...missing.map((uid) => ({ sopInstanceUID: uid, reason: progress.refused.get(uid) ?? usual })),
    ...Array.from(progress.refused, ([sopInstanceUID, reason]) => ({ sopInstanceUID, reason })).filter(
      ({ sopInstanceUID }) => !known.has(sopInstanceUID) && !progress.storedUids.has(sopInstanceUID),
    ),
  ];
};

/** Returns the reason for a missing instance without a matching file. */
const usualReason = ({ broken, refusedNameless }: Progress, missing: number): string => {
  if (broken) return broken.message;
  const [first] = refusedNameless;
  // The unreadable files account for all missing instances.
  return first !== undefined && refusedNameless.length >= missing ? first : 'The archive did not send it';
};

/** Returns a readable reason why instances are missing; empty when all are here. */
export const causeOf = (progress: Progress): string => {
  if (!progress.expected) return progress.broken?.message ?? '';
  if (countExpected(progress) === 0 && !progress.omission) return 'The archive has no images of this study';
  const missing = causeOfMissing(progress);
  const short = causeOfShortList(progress, missing === '');
  const causes = [missing, short, progress.omission].filter((text) => text !== '');
  return causes.length > 1 ? causes.map(sentence).join(' ') : causes.join('');
};

/** Returns the reason why listed instances are missing; empty when all are here. */
const causeOfMissing = (progress: Progress): string => {
  const missing = missingOf(progress);
  if (missing.length === 0) return '';
  const listed = progress.expected?.size;
  const received = progress.storedUids.size;
  const count = `Received ${received} of ${listed} instances.`;
  if (progress.broken) return `${sentence(progress.broken.message)} ${count}`;
  const reason = firstReason(progress, missing);
  const missed = missing.length;
  return reason === undefined
    ? `The archive did not send ${missed} of ${listed} instances`
    : `Files were refused. ${sentence(reason)} ${count}`;
};

/** Instances that are not listed cannot be requested; the requester can ask the archive's operator. */
const causeOfShortList = ({ expected, promised, before }: Progress, isAllHere: boolean): string => {
  const listed = expected?.size ?? 0;
  const here = isAllHere && listed > 0 ? ' All of them were received.' : '';
  if (promised > listed) {
    return `The archive reports ${promised} instances but lists ${listed}.${here}`;
  }
  if (before <= listed) return '';
  const fewer = before - listed;
  return `The archive lists ${listed} instances, ${fewer} fewer than before.${here} If the others were removed there, start a new import.`;
};

const firstReason = ({ refused, refusedNameless }: Progress, missing: readonly string[]): string | undefined =>
  missing.flatMap((uid) => refused.get(uid) ?? [])[0] ?? refusedNameless[0] ?? [...refused.values()][0];

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
