import type { Report } from '@radwork/contract/reports';
import { useRef, useState } from 'react';
import { z } from 'zod';
import { forgetUnsaved, keepUnsaved, readUnsaved } from '#core/unsaved.ts';

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
  at: z.string(),
});
export type KeptDraft = z.infer<typeof keptDraft>;

/** The name under which the browser keeps an unsaved text: that of its report, or of the study that has none yet. */
export const draftName = (studyId: string, report: Pick<Report, 'id'> | null): string =>
  report ? `report.${report.id}` : `report-of-study.${studyId}`;

export const keptUnder = (name: string): KeptDraft | undefined => readUnsaved(name, keptDraft);

export type Draft = {
  words: Words;
  revision: number | null;
  isUnsaved: boolean;
  /** False when the browser has no room to keep the text as well. */
  isKept: boolean;
  /** When a text was written that has now come back from this browser. */
  restoredFrom: string | null;
  /** Grows when the editor has to begin anew with another text. */
  generation: number;
};

const nothing: Words = { content: '', hasCriticalFindings: false, criticalFindingsDetails: '' };

const fromServer = (report: Report | null, generation = 0): Draft => ({
  words: report
    ? {
        content: report.content,
        hasCriticalFindings: report.criticalFindingsDetails !== '',
        criticalFindingsDetails: report.criticalFindingsDetails,
      }
    : nothing,
  revision: report?.revision ?? null,
  isUnsaved: false,
  isKept: true,
  restoredFrom: null,
  generation,
});

const begin = (studyId: string, report: Report | null): Draft => {
  const kept = keptUnder(draftName(studyId, report));
  if (!kept) return fromServer(report);
  const { at, revision, ...written } = kept;
  return { ...fromServer(report), words: written, revision, isUnsaved: true, restoredFrom: at };
};

const isSame = (one: Words, other: Words) =>
  one.content === other.content &&
  one.hasCriticalFindings === other.hasCriticalFindings &&
  one.criticalFindingsDetails === other.criticalFindingsDetails;

/**
 * A text while somebody writes it. Every change is kept in the browser until the server has it, so that nothing that
 * happens to the page, the session or the network loses a word; an unsaved text from before is taken up again.
 */
export const useReportDraft = (studyId: string, report: Report | null) => {
  const [draft, setDraft] = useState(() => begin(studyId, report));
  // What is written while a save is under way must not be forgotten when it ends.
  const latest = useRef(draft);
  const put = (next: Draft) => {
    latest.current = next;
    setDraft(next);
  };
  const keep = (name: string, next: Draft): Draft => ({
    ...next,
    isKept: keepUnsaved(name, {
      ...next.words,
      revision: next.revision,
      at: new Date().toISOString(),
    } satisfies KeptDraft),
  });

  return {
    draft,
    latest: () => latest.current,

    write: (part: Partial<Words>) => {
      const now = latest.current;
      const next = { ...now, words: { ...now.words, ...part }, isUnsaved: true, restoredFrom: null };
      put(keep(draftName(studyId, report), next));
    },

    /** The server has what was sent; what has been written since is still unsaved. */
    saved: (answer: Report, sent: Words) => {
      const now = latest.current;
      const next = { ...now, revision: answer.revision, isUnsaved: !isSame(now.words, sent), restoredFrom: null };
      forgetUnsaved(draftName(studyId, report));
      put(next.isUnsaved ? keep(draftName(studyId, answer), next) : next);
    },

    /** Goes on with this text on top of a newer version, which stays in the history. */
    rebase: (newer: Report) => put(keep(draftName(studyId, newer), { ...latest.current, revision: newer.revision })),

    /** Gives this text up for the saved one. */
    adopt: (newer: Report | null) => {
      forgetUnsaved(draftName(studyId, report));
      put(fromServer(newer, latest.current.generation + 1));
    },
  };
};
