import type { PassageKind, SentText } from '@radwork/contract/reading/drafting';
import type { AiProvider } from '@radwork/contract/reading/reporting-settings';

/** A drafting request in the user's own words. */
export type DraftRequest = {
  kind: PassageKind;
  /** The findings, the text to summarize, or the passage to reword. */
  text: string;
  studyDescription: string;
  /** Clinical information, such as the patient's complaint; empty for none. */
  clinicalInfo: string;
  /** Headings of the template that fits the study, in order; empty without a template. */
  sections: readonly Section[];
};

/** A heading of a template and its text for a normal result. */
export type Section = { heading: string; normal: string };

/** A drafter. Its answer is unchecked text. */
export type Drafter = {
  provider: AiProvider;
  model: string;
  /** Returns all that leaves this server for a request; null when nothing does. */
  sentFor: (request: DraftRequest) => SentText | null;
  /** Returns the whole answer. Throws a Problem that describes the provider's failure. */
  answer: (request: DraftRequest, signal: AbortSignal) => Promise<string>;
  /** Yields the same answer in pieces as they arrive. */
  pieces: (request: DraftRequest, signal: AbortSignal) => AsyncIterable<string>;
};
