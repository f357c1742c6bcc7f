import type { PassageKind, SentText } from '@radwork/contract/reading/drafting';
import type { AiProvider } from '@radwork/contract/reading/reporting-settings';

/** A drafting request in the words of the user. */
export type DraftRequest = {
  kind: PassageKind;
  /** The findings, the text to summarize, or the passage to rewrite. */
  text: string;
  studyDescription: string;
  /** Clinical information, such as the patient's complaint. Empty if there is none. */
  clinicalInfo: string;
  /** Headings of the template that fits the study, in order. Empty without a template. */
  sections: readonly Section[];
};

/** A heading of a template and its text for a normal finding. */
export type Section = { heading: string; normal: string };

/** A drafter. Its answer is text that was not checked. */
export type Drafter = {
  provider: AiProvider;
  model: string;
  /** Returns everything that leaves this server for a request. Null when nothing leaves it. */
  sentFor: (request: DraftRequest) => SentText | null;
  /** Returns the whole answer. Throws a Problem that describes the error of the provider. */
  answer: (request: DraftRequest, signal: AbortSignal) => Promise<string>;
  /** Yields the same answer in pieces, as they arrive. */
  pieces: (request: DraftRequest, signal: AbortSignal) => AsyncIterable<string>;
};
