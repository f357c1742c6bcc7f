import type { Refusal } from '#archive/ingest.ts';
import { type RemoteError, type RemoteInstance } from '#features/remote-archives/source.ts';

/** How far an import has come in this run. */
export type Progress = {
  /** The SOP Instance UIDs that the archive has listed, whenever it was asked; undefined until it has. */
  expected: ReadonlySet<string> | undefined;
  /** How many instances the archive says that the study has, which may be more than it lists. */
  promised: number;
  /** How many an earlier run has heard of. */
  before: number;
  /** In words, why more may be missing than can be counted; empty where nothing speaks for it. */
  omission: string;
  /** Those of the expected ones that are in our archive. */
  here: Set<string>;
  /** Why a file was not stored, by SOP Instance UID. */
  refused: Map<string, string>;
  /** Why files were not stored of which it is not known what they are. */
  refusedNameless: string[];
  /** Why the archive could not be asked or broke off, last time. */
  broken: RemoteError | undefined;
};

export type Failure = { sopInstanceUID: string; reason: string };

export const newProgress = (before = 0): Progress => ({
  expected: undefined,
  promised: 0,
  before,
  omission: '',
  here: new Set(),
  refused: new Map(),
  refusedNameless: [],
  broken: undefined,
});

/** Of each instance that the archive lists, the first mention. */
export const onceEach = (listed: readonly RemoteInstance[]): RemoteInstance[] => [
  ...new Map(listed.toReversed().map((instance) => [instance.sopInstanceUID, instance])).values(),
];

/**
 * Takes what the archive says now that the study has. It may be less than before, as after a restart; what it has listed
 * once is still expected.
 */
export const noteListed = (progress: Progress, listed: readonly RemoteInstance[], promised: number): void => {
  progress.expected = new Set([...(progress.expected ?? []), ...listed.map(({ sopInstanceUID }) => sopInstanceUID)]);
  progress.promised = Math.max(progress.promised, promised);
};

/** How many instances are to come; undefined until the archive has said so. */
export const countExpected = ({ expected, promised, before }: Progress): number | undefined =>
  expected && Math.max(expected.size, promised, before);

/** Whether the archive has said what the study has, and no less than to an earlier run. */
export const isListed = ({ expected, promised, before }: Progress): boolean =>
  expected !== undefined && Math.max(expected.size, promised) >= before;

export const missingOf = ({ expected, here }: Progress): string[] =>
  [...(expected ?? [])].filter((uid) => !here.has(uid));

export const noteRefusal = (progress: Progress, { sopInstanceUID, name, reason }: Refusal): void => {
  // A file that was asked for by itself is named after its instance, which helps where it cannot be read.
  const [asked = ''] = name.split(' ');
  const uid = sopInstanceUID ?? (progress.expected?.has(asked) ? asked : undefined);
  if (uid === undefined) progress.refusedNameless.push(reason);
  else progress.refused.set(uid, reason);
};

/** Each instance that should be here and is not, and each that came and should not have, with the reason. */
export const failuresOf = (progress: Progress): Failure[] => {
  const missing = missingOf(progress);
  const usual = usualReason(progress, missing.length);
  const known = new Set(missing);
  return [
    ...missing.map((uid) => ({ sopInstanceUID: uid, reason: progress.refused.get(uid) ?? usual })),
    ...Array.from(progress.refused, ([sopInstanceUID, reason]) => ({ sopInstanceUID, reason })).filter(
      ({ sopInstanceUID }) => !known.has(sopInstanceUID) && !progress.here.has(sopInstanceUID),
    ),
  ];
};

/** Why an instance is missing of which no file is known to have come. */
const usualReason = ({ broken, refusedNameless }: Progress, missing: number): string => {
  if (broken) return broken.message;
  const [first] = refusedNameless;
  // As many unreadable files as instances that are missing: they are the same.
  return first !== undefined && refusedNameless.length >= missing ? first : 'The archive did not send it';
};

/** In words, why not everything is here; empty when it is. */
export const causeOf = (progress: Progress): string => {
  if (!progress.expected) return progress.broken?.message ?? '';
  if (countExpected(progress) === 0 && !progress.omission) return 'The archive has no images of this study';
  const missing = causeOfMissing(progress);
  const short = causeOfShortList(progress, missing === '');
  const causes = [missing, short, progress.omission].filter((text) => text !== '');
  return causes.length > 1 ? causes.map(sentence).join(' ') : causes.join('');
};

/** Why what the archive lists is not all here; empty when it is. */
const causeOfMissing = (progress: Progress): string => {
  const missing = missingOf(progress);
  if (missing.length === 0) return '';
  const listed = progress.expected?.size;
  const count = `${progress.here.size} of ${listed} instances are here.`;
  if (progress.broken) return `${sentence(progress.broken.message)} ${count}`;
  const reason = firstReason(progress, missing);
  return reason === undefined
    ? `The archive did not send ${missing.length} of ${listed} instances`
    : `Files were refused. ${sentence(reason)} ${count}`;
};

/** What is not listed cannot be asked for; who has asked for the import can ask whoever runs the archive. */
const causeOfShortList = ({ expected, promised, before }: Progress, isAllHere: boolean): string => {
  const listed = expected?.size ?? 0;
  const here = isAllHere && listed > 0 ? ' These are here.' : '';
  if (promised > listed) {
    return `The archive says that the study has ${promised} instances, and lists ${listed} of them.${here}`;
  }
  if (before <= listed) return '';
  return `The archive lists ${listed} instances, ${before - listed} fewer than before.${here} If the others were removed there, import the study anew.`;
};

const firstReason = ({ refused, refusedNameless }: Progress, missing: readonly string[]): string | undefined =>
  missing.flatMap((uid) => refused.get(uid) ?? [])[0] ?? refusedNameless[0] ?? [...refused.values()][0];

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
