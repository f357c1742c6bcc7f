import type { Scope } from '#core/access/scope.ts';
import type { StoredStudy } from '#imaging/studies/study-rows.ts';
import type { DocumentIdentity } from './study-document.ts';

/** A document about a study, made from its current state. */
export type StudyDocument = {
  studyInstanceUid: string;
  sopClassUid: string;
  /** Key of the content. It changes when the content changes. */
  contentKey: string;
  /** Time at which the content was last changed. So the same content always gives the same file. */
  written: DocumentIdentity['written'];
  /** Details for the audit entry. */
  audited: Record<string, number>;
  make: (identity: DocumentIdentity) => Buffer;
};

/** A kind of document. It is downloaded as a file or stored as a series of the study. */
export type DocumentKind = {
  /** Part of the UIDs and of the audit actions of the document. */
  name: string;
  /** Name of the content in file names and messages. */
  plural: string;
  /** Whether a new document can reference the earlier document that it replaces. */
  hasPredecessors: boolean;
  /** Returns the document. Throws 422 when there is no content. */
  source: (scope: Scope, study: StoredStudy) => Promise<StudyDocument>;
};
