import type { Scope } from '#core/access/scope.ts';
import type { StoredStudy } from '#imaging/studies/study-rows.ts';
import type { DocumentIdentity } from './study-document.ts';

/** A document about the current state of a study. */
export type StudyDocument = {
  studyInstanceUid: string;
  sopClassUid: string;
  /** Content key; changes when the content of the document changes. */
  contentKey: string;
  /** Time of the content. The same content gives the same file, whenever it is made. */
  written: DocumentIdentity['written'];
  /** Details for the audit entry. */
  audited: Record<string, number>;
  make: (identity: DocumentIdentity) => Buffer;
};

/** A kind of document that is downloaded as a file or stored as a series of the study. */
export type DocumentKind = {
  /** Part of its UIDs and of its audit actions. */
  name: string;
  /** Name of its contents in file names and messages. */
  plural: string;
  /** Whether a later document can reference the one it replaces. */
  hasPredecessors: boolean;
  /** Throws 422 when there is no content. */
  source: (scope: Scope, study: StoredStudy) => Promise<StudyDocument>;
};
