import type { Scope } from '#core/scope.ts';
import type { StoredStudy } from '#features/studies/study-rows.ts';
import type { DocumentIdentity } from './study-document.ts';

/** A document that can be made of a study as it is now. */
export type StudyDocument = {
  studyInstanceUid: string;
  sopClassUid: string;
  /** Changes whenever the document would say something else. */
  said: string;
  /** When what it says came to be so: the same document is the same file, whenever it is made. */
  written: DocumentIdentity['written'];
  /** What is written down of it for the audit. */
  audited: Record<string, number>;
  make: (identity: DocumentIdentity) => Buffer;
};

/** A kind of document that leaves a study as a file, or becomes a series of it. */
export type DocumentKind = {
  /** What its UIDs are made of, and how its doings are called in the audit. */
  name: string;
  /** What is in it, as files and refusals call it. */
  plural: string;
  /** Whether a later one can name the one that it takes the place of. */
  hasPredecessors: boolean;
  /** Throws a 422 where there is nothing to say. */
  source: (scope: Scope, study: StoredStudy) => Promise<StudyDocument>;
};
