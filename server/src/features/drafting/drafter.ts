import type { PassageKind, SentText } from '@radwork/contract/drafting';
import type { AiProvider } from '@radwork/contract/reporting-settings';

/** What somebody wants drafted, in their own words. */
export type DraftRequest = {
  kind: PassageKind;
  /** The findings, the text to conclude from, or the words to put better. */
  text: string;
  studyDescription: string;
  /** What is known of the patient's complaint; empty for nothing. */
  clinicalInfo: string;
  /** The headings of the template that fits the study, in order; none without one. */
  sections: readonly Section[];
};

/** A heading of a template, and what stands under it when there is nothing to report. */
export type Section = { heading: string; normal: string };

/** Something that drafts. What it answers is text, of whose words nobody has checked any. */
export type Drafter = {
  provider: AiProvider;
  model: string;
  /** All that leaves this server for an answer; null when nothing does. */
  sentFor: (request: DraftRequest) => SentText | null;
  /** The whole answer. Throws a Problem that says in words what went wrong with the provider. */
  answer: (request: DraftRequest, signal: AbortSignal) => Promise<string>;
  /** The same answer in pieces, as they come. */
  pieces: (request: DraftRequest, signal: AbortSignal) => AsyncIterable<string>;
};
