import type { Refusal } from '#imaging/archive/store/ingest-file.ts';
import { type RemoteError, type RemoteInstance } from '#imaging/remote-archives/remote-source.ts';

/** Progress of an import in its current run. */
export type Progress = {
  /** SOP Instance UIDs that the archive has listed in this run. Undefined before its first list. */
  expected: ReadonlySet<string> | undefined;
  /** Number of instances that the archive reports for the study. It can be greater than its list. */
  promised: number;
  /** Number of instances that an earlier run expected. */
  before: number;
  /**
   * Text for users that says why an unknown number of instances may be missing. Empty if there is no sign that
   * instances are missing.
   */
  omission: string;
  /** Expected instances that are in our archive. */
  storedUids: Set<string>;
  /** Why files were not stored, by SOP Instance UID. */
  refused: Map<string, string>;
  /** Why files with an unknown UID were not stored. */
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

/** Keeps the first entry of each instance. */
export const onceEach = (instances: readonly RemoteInstance[]): RemoteInstance[] => [
  ...new Map(instances.toReversed().map((instance) => [instance.sopInstanceUID, instance])).values(),
];

/**
 * Adds the current list of the archive. It may be shorter than before, for example after a restart, but instances
 * listed once stay expected.
 */
export const recordListed = (progress: Progress, instances: readonly RemoteInstance[], promised: number): void => {
  progress.expected = new Set([...(progress.expected ?? []), ...instances.map(({ sopInstanceUID }) => sopInstanceUID)]);
  progress.promised = Math.max(progress.promised, promised);
};

/** Returns the number of expected instances. Undefined until the archive has listed them. */
export const countExpected = ({ expected, promised, before }: Progress): number | undefined =>
  expected && Math.max(expected.size, promised, before);

/** True when the archive has listed the study, with at least as many instances as in an earlier run. */
export const isListed = ({ expected, promised, before }: Progress): boolean =>
  expected !== undefined && Math.max(expected.size, promised) >= before;

export const missingOf = ({ expected, storedUids }: Progress): string[] =>
  [...(expected ?? [])].filter((uid) => !storedUids.has(uid));

export const recordRefusal = (progress: Progress, { sopInstanceUID, name, reason }: Refusal): void => {
  // A file that was requested alone has its UID as its name. So the UID is known even if the file is unreadable.
  const [requestedUid = ''] = name.split(' ');
  const uid = sopInstanceUID ?? (progress.expected?.has(requestedUid) ? requestedUid : undefined);
  if (uid === undefined) progress.refusedNameless.push(reason);
  else progress.refused.set(uid, reason);
};

/** Lists missing instances and unexpected files, each with a reason. */
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

/** Returns the reason for instances for which no file arrived. */
const usualReason = ({ broken, refusedNameless }: Progress, missing: number): string => {
  if (broken) return broken.message;
  const [first] = refusedNameless;
  // If there are at least as many unreadable files as missing instances, these files may be the missing instances.
  return first !== undefined && refusedNameless.length >= missing ? first : 'The archive did not send it';
};

/** Returns the text for users why instances are missing. Empty when none is missing. */
export const causeOf = (progress: Progress): string => {
  if (!progress.expected) return progress.broken?.message ?? '';
  if (countExpected(progress) === 0 && !progress.omission) return 'The archive has no images of this study';
  const missing = causeOfMissing(progress);
  const short = causeOfShortList(progress, missing === '');
  const causes = [missing, short, progress.omission].filter((text) => text !== '');
  return causes.length > 1 ? causes.map(sentence).join(' ') : causes.join('');
};

/** Returns why listed instances are missing. Empty when none is missing. */
const causeOfMissing = (progress: Progress): string => {
  const missing = missingOf(progress);
  if (missing.length === 0) return '';
  const listedCount = progress.expected?.size;
  const received = progress.storedUids.size;
  const count = `Received ${received} of ${listedCount} instances.`;
  if (progress.broken) return `${sentence(progress.broken.message)} ${count}`;
  const reason = firstReason(progress, missing);
  const missed = missing.length;
  return reason === undefined
    ? `The archive did not send ${missed} of ${listedCount} instances`
    : `Files were refused. ${sentence(reason)} ${count}`;
};

/**
 * Returns why the archive lists too few instances. Instances that it does not list cannot be requested, so the text
 * tells the requester to ask there.
 */
const causeOfShortList = ({ expected, promised, before }: Progress, isAllHere: boolean): string => {
  const listedCount = expected?.size ?? 0;
  const allReceived = isAllHere && listedCount > 0 ? ' All of them were received.' : '';
  if (promised > listedCount) {
    return `The archive reports ${promised} instances but lists ${listedCount}.${allReceived}`;
  }
  if (before <= listedCount) return '';
  const fewer = before - listedCount;
  return `The archive lists ${listedCount} instances, ${fewer} fewer than before.${allReceived} If the others were removed there, start a new import.`;
};

const firstReason = ({ refused, refusedNameless }: Progress, missing: readonly string[]): string | undefined =>
  missing.flatMap((uid) => refused.get(uid) ?? [])[0] ?? refusedNameless[0] ?? [...refused.values()][0];

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
