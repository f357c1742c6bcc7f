import { openPassagesIn } from '@radwork/contract/drafting';
import { type NamedPatient, namedPatient } from '@radwork/contract/named-patient';
import type { KeptText } from '@radwork/contract/report-autosaves';
import type { Report } from '@radwork/contract/reports';
import { useRef, useState } from 'react';
import { z } from 'zod';
import { newId } from '#core/new-id.ts';
import {
  forgetUnsaved,
  keepUnsaved,
  readUnsaved,
  unsavedNames,
  type UnsavedOwner,
  unsavedOwner,
} from '#core/unsaved.ts';
import { isTextOf } from './kept-texts.ts';
import { isRefiledOnly } from './what-happened.ts';

const words = z.object({
  content: z.string(),
  hasCriticalFindings: z.boolean(),
  criticalFindingsDetails: z.string(),
});

/** What a person writes in a report. */
export type Words = z.infer<typeof words>;

const keptDraft = words.extend({
  /** The version that it was written on; null before there is a report. */
  revision: z.number().nullable(),
  /** For whom it was begun; null in what was kept before that was noted. */
  patient: namedPatient.nullable().default(null),
  at: z.string(),
  /** The text on the server that it goes on from. */
  keptId: z.string().nullable().default(null),
  /** The id under which a text was sent last; whether the server has it is known when somebody looks again. */
  sentId: z.string().nullable().default(null),
});
export type KeptDraft = z.infer<typeof keptDraft>;

/** The name under which the browser keeps an unsaved text: that of its report, or of the study that has none yet. */
export const draftName = (studyId: string, report: Pick<Report, 'id'> | null): string =>
  report ? `report.${report.id}` : `report-of-study.${studyId}`;

/** The name of a text that gave way to another one of the same writer: its own, so that none overwrites another. */
const otherName = (name: string): string => `${name}.other.${newId()}`;

/** The names of all texts that gave way. */
export const otherNames = (name: string): string[] => unsavedNames(`${name}.other`);

export const keptUnder = (name: string): KeptDraft | undefined => readUnsaved(name, keptDraft);

export type Draft = {
  /** What is written. In what a component shows, its content is the one that the editor began with. */
  words: Words;
  revision: number | null;
  /** For whom the text was begun, wherever its study is filed by now; null when that is not known. */
  patient: NamedPatient | null;
  isUnsaved: boolean;
  /** False when the browser has no room to keep the text as well. */
  isKept: boolean;
  /** When the server kept the text as it is now; null when it does not have all of it. */
  keptAt: string | null;
  /** The kept text on the server that this one goes on from. */
  keptId: string | null;
  sentId: string | null;
  /** Another window of the same writer has kept another text: under this name of its own this one is kept in this browser. */
  elsewhere: string | null;
  /** When a text was written that has now come back. */
  restoredFrom: string | null;
  /** Grows when the editor has to begin anew with another text. */
  generation: number;
};

const nothing: Words = { content: '', hasCriticalFindings: false, criticalFindingsDetails: '' };

/** What is written in, and under whom it is filed as the page knows it. */
type Place = { studyId: string; report: Report | null; patient: NamedPatient };

const fromServer = ({ report, patient }: Omit<Place, 'studyId'>, generation = 0): Draft => ({
  words: report
    ? {
        content: report.content,
        hasCriticalFindings: report.criticalFindingsDetails !== '',
        criticalFindingsDetails: report.criticalFindingsDetails,
      }
    : nothing,
  revision: report?.revision ?? null,
  patient,
  isUnsaved: false,
  isKept: true,
  keptAt: null,
  keptId: null,
  sentId: null,
  elsewhere: null,
  restoredFrom: null,
  generation,
});

const wordsOf = ({ content, hasCriticalFindings, criticalFindingsDetails }: Words): Words => ({
  content,
  hasCriticalFindings,
  criticalFindingsDetails,
});

const fromBrowser = (draft: Draft, local: KeptDraft, elsewhere: string | null = null): Draft => ({
  ...draft,
  words: wordsOf(local),
  revision: local.revision,
  patient: local.patient,
  isUnsaved: true,
  keptId: local.keptId,
  elsewhere,
  restoredFrom: local.at,
});

const fromKept = (draft: Draft, kept: KeptText): Draft => ({
  ...draft,
  words: wordsOf(kept),
  revision: kept.baseRevision,
  patient: kept.patient,
  isUnsaved: true,
  keptAt: kept.savedAt,
  keptId: kept.id,
  restoredFrom: kept.savedAt,
});

/**
 * What the writer finds: the newer of what this browser has not got through to the server and of what the server keeps.
 * Of two texts that do not go on from one another, the other one stays where it is, to be looked at.
 */
const begin = ({ studyId, report, patient }: Place, texts: readonly KeptText[]): Draft => {
  const name = draftName(studyId, report);
  const local = keptUnder(name);
  const kept = texts.find(isTextOf(report));
  const stored = fromServer({ report, patient });
  if (!local) return kept ? fromKept(stored, kept) : stored;
  if (!kept || kept.id === local.keptId) return fromBrowser(stored, local);
  // The page was gone before it heard that the server has it.
  if (kept.id === local.sentId) return fromBrowser(stored, { ...local, keptId: kept.id });
  const elsewhere = otherName(name);
  keepUnsaved(elsewhere, local);
  forgetUnsaved(name);
  const isNewer = Date.parse(local.at) > Date.parse(kept.savedAt);
  return isNewer ? fromBrowser(stored, local, elsewhere) : fromKept(stored, kept);
};

/**
 * Whether a text may be about another patient than the one whose study it is now. Of a text that does not say for whom
 * it was begun the version of its report tells, which no refiling leaves as it was; one without a report is in doubt.
 */
export const isOfAnother = (
  { isUnsaved, patient, revision }: Pick<Draft, 'isUnsaved' | 'patient' | 'revision'>,
  filed: NamedPatient,
): boolean => isUnsaved && (patient ? patient.id !== filed.id : revision === null);

const isSame = (one: Words, other: Words) =>
  one.content === other.content &&
  one.hasCriticalFindings === other.hasCriticalFindings &&
  one.criticalFindingsDetails === other.criticalFindingsDetails;

/** Whether a screen looks the same: of what is being written, which the editor shows, it says what is left to decide. */
const looksSame = (before: Draft, after: Draft) =>
  JSON.stringify(visible(before)) === JSON.stringify(visible(after)) &&
  hasSamePassages(before.words.content, after.words.content);

const visible = (draft: Draft) => ({ ...draft, sentId: null, words: { ...draft.words, content: '' } });

const hasSamePassages = (before: string, after: string) =>
  before === after || String(openPassagesIn(before)) === String(openPassagesIn(after));

/**
 * A text while somebody writes it. Every change is kept in the browser until the server has it, so that nothing that
 * happens to the page, the session or the network loses a word; an unsaved text from before is taken up again. Changes
 * of the content alone do not render anything, unless they decide about a passage of a program.
 */
export const useReportDraft = (place: Place, texts: readonly KeptText[]) => {
  const { studyId, report, patient } = place;
  const [draft, setDraft] = useState(() => begin(place, texts));
  // Whose text it is stays true when the session ends while it is written.
  const [owner] = useState(unsavedOwner);
  // What is written while a save is under way must not be forgotten when it ends.
  const latest = useRef(draft);
  /** Has the editor hand over what was typed last. */
  const tellNow = useRef(() => {});
  const put = (next: Draft) => {
    const isVisible = !looksSame(latest.current, next);
    latest.current = next;
    if (isVisible) setDraft(next);
  };
  const name = draftName(studyId, report);

  return {
    draft,

    latest: (): Draft => {
      tellNow.current();
      return latest.current;
    },

    /** Whether whoever is signed in now is still the one who writes. */
    isTheirs: () => owner !== undefined && owner === unsavedOwner(),

    /** The text as it is, which is sent under this id. */
    sending: (id: string): Draft => {
      tellNow.current();
      put(keepHere(name, { ...latest.current, sentId: id }, owner));
      return latest.current;
    },

    onOpen: (tell: () => void) => {
      tellNow.current = tell;
    },

    /** Something was typed; what it is follows in a moment. */
    touch: () => put({ ...latest.current, isUnsaved: true, keptAt: null, restoredFrom: null }),

    write: (part: Partial<Words>) => {
      const now = latest.current;
      const next = { ...now, words: { ...now.words, ...part }, isUnsaved: true, keptAt: null, restoredFrom: null };
      put(keepHere(name, next, owner));
    },

    /** Puts another text in the place of this one, to be saved like any other. */
    replace: (content: string) => {
      const now = latest.current;
      const words = { ...now.words, content };
      const next = { ...now, words, isUnsaved: true, keptAt: null, restoredFrom: null, generation: now.generation + 1 };
      put(keepHere(name, next, owner));
    },

    /** The server keeps what was sent. The browser may forget it, unless something has been written since. */
    kept: ({ id, savedAt }: Pick<KeptText, 'id' | 'savedAt'>, sent: Words) => {
      tellNow.current();
      const now = { ...latest.current, keptId: id, elsewhere: null };
      if (now.words !== sent) return put(keepHere(name, now, owner));
      if (!now.isUnsaved) return put(now);
      forgetUnsaved(name, owner);
      put({ ...now, keptAt: savedAt });
    },

    /** Another window has kept another text: this one goes on under a name of its own. */
    giveWay: () => {
      const next = { ...latest.current, elsewhere: otherName(name), keptAt: null };
      forgetUnsaved(name, owner);
      put(keepHere(name, next, owner));
    },

    /** The writer has seen the text of the other window, and goes on with this one in its place. */
    replaceOther: (id: string) => {
      forgetUnsaved(placeOf(name, latest.current), owner);
      put(keepHere(name, { ...latest.current, elsewhere: null, keptId: id }, owner));
    },

    /** The writer goes on with the text of the other window. */
    takeOther: (other: KeptText) => {
      forgetUnsaved(placeOf(name, latest.current), owner);
      const { generation } = latest.current;
      put(fromKept({ ...latest.current, elsewhere: null, generation: generation + 1 }, other));
    },

    /** The server has what was sent; what has been written since is still unsaved. */
    saved: (answer: Report, sent: Words) => {
      tellNow.current();
      const now = latest.current;
      const isUnsaved = !isSame(now.words, sent);
      const next = { ...now, revision: answer.revision, isUnsaved, keptAt: null, keptId: null, restoredFrom: null };
      forgetUnsaved(placeOf(name, now), owner);
      put(isUnsaved ? keepHere(draftName(studyId, answer), next, owner) : { ...next, elsewhere: null });
    },

    /** Goes on with this text on top of a newer version, which stays in the history. */
    rebase: (newer: Report) =>
      put(keepHere(draftName(studyId, newer), { ...latest.current, patient, revision: newer.revision }, owner)),

    /**
     * The writer has said that the text is about whom the study is filed under now, which the server has not heard yet.
     * Where nothing but the refiling has happened to the report, there is nothing else to look at.
     */
    confirmPatient: () => {
      const now = latest.current;
      const revision = report && isRefiledOnly(report, now.revision) ? report.revision : now.revision;
      put(keepHere(name, { ...now, patient, revision, keptAt: null }, owner));
    },

    /** Gives this text up for the saved one. */
    adopt: (newer: Report | null) => {
      forgetUnsaved(placeOf(name, latest.current), owner);
      put(fromServer({ report: newer, patient }, latest.current.generation + 1));
    },
  };
};

const placeOf = (name: string, { elsewhere }: Draft) => elsewhere ?? name;

const keepHere = (name: string, draft: Draft, owner: UnsavedOwner): Draft => {
  const { revision, patient, keptId, sentId } = draft;
  const kept: KeptDraft = { ...draft.words, revision, patient, keptId, sentId, at: new Date().toISOString() };
  return { ...draft, isKept: keepUnsaved(placeOf(name, draft), kept, owner) };
};
