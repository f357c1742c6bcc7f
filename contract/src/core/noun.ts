import type { AuditAction, Endpoint, StreamEndpoint } from './endpoint.ts';

/** Headings of the actions in the audit filter, in display order. */
export const auditGroups = [
  'Study',
  'Patient',
  'Report',
  'Critical findings',
  'Conversation',
  'Sign-in and permissions',
  'Remote archives',
  'Configuration',
  'Users and organization',
  'Atlas and guidelines',
  'Audit',
] as const;

/** Declaration of a noun with its calls. Each file of the contract has one declaration, and `all.ts` collects them. */
export type Noun = {
  calls?: readonly Readonly<Record<string, Endpoint>>[];
  streams?: readonly StreamEndpoint[];
  /** The DICOMweb services. Each has two prefixes. */
  services?: Readonly<Record<string, StreamEndpoint>>;
  /** Kinds of objects to which its audit entries refer. */
  entities?: readonly string[];
  /** Labels of its audit actions. */
  actions?: { readonly [group in (typeof auditGroups)[number]]?: Readonly<Record<AuditAction, string>> };
};
