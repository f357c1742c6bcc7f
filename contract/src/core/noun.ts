import type { AuditAction, Endpoint, StreamEndpoint } from './endpoint.ts';

/** Headings of the actions in the audit filter, in order. */
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

/** Declaration of a noun, one for each file of the contract. `all.ts` collects it. */
export type Noun = {
  calls?: readonly Readonly<Record<string, Endpoint>>[];
  streams?: readonly StreamEndpoint[];
  /** The DICOMweb services. Each has two prefixes. */
  services?: Readonly<Record<string, StreamEndpoint>>;
  /** Kinds of objects that its audit entries are about. */
  entities?: readonly string[];
  /** Labels of its audit actions. */
  actions?: { readonly [group in (typeof auditGroups)[number]]?: Readonly<Record<AuditAction, string>> };
};
