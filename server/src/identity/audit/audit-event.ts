import { auditActionWords } from '@radwork/contract/audit-actions';
import type { AuditEntry } from '@radwork/contract/identity/audit';
import type { AuditEvent, AuditEventEntity, Coding } from 'fhir/r4';

/*
 * Converts an entry to a FHIR R4 AuditEvent, with event codes of DICOM PS3.15 A.5 and vocabulary of IHE BALP. Users and
 * records are identified by our ids and by the account name. Patients are never named (docs/conformance-audit.md).
 */

const dcm = (code: string, display: string): Coding => ({
  system: 'http://dicom.nema.org/resources/ontology/DCM',
  code,
  display,
});

const restful: Coding = {
  system: 'http://terminology.hl7.org/CodeSystem/audit-event-type',
  code: 'rest',
  display: 'RESTful Operation',
};

const byNoun: Record<string, Coding> = {
  session: dcm('110114', 'User Authentication'),
  tenant: dcm('110114', 'User Authentication'),
  access: dcm('110113', 'Security Alert'),
  patient: dcm('110110', 'Patient Record'),
  import: dcm('110107', 'Import'),
  audit: dcm('110101', 'Audit Log Used'),
};

const byAction: Record<string, Coding> = {
  'study.retrieve': dcm('110103', 'DICOM Instances Accessed'),
  'study.prefetch': dcm('110103', 'DICOM Instances Accessed'),
  'study.store': dcm('110104', 'DICOM Instances Transferred'),
  'study.purge': dcm('110105', 'DICOM Study Deleted'),
  'study.delete': dcm('110105', 'DICOM Study Deleted'),
  'study.query': dcm('110112', 'Query'),
  'study.search': dcm('110112', 'Query'),
  'patient.search': dcm('110112', 'Query'),
  'report.search': dcm('110112', 'Query'),
  'archive.query': dcm('110112', 'Query'),
  'worklist.read': dcm('110112', 'Query'),
  'remote.search': dcm('110112', 'Query'),
  'report.sent': dcm('110106', 'Export'),
  'report.print': dcm('110106', 'Export'),
  'study.exportHistory': dcm('110106', 'Export'),
  'measurement.export': dcm('110106', 'Export'),
  'study.savePicture': dcm('110106', 'Export'),
  'tenant.restore': dcm('110107', 'Import'),
  'keyImage.export': dcm('110106', 'Export'),
};

const subtypes: Record<string, Coding> = {
  'session.begin': dcm('110122', 'Login'),
  'session.refuse': dcm('110122', 'Login'),
  'session.lock': dcm('110122', 'Login'),
  'session.end': dcm('110123', 'Logout'),
};

const nounOf = (action: string): string => action.split('.')[0] ?? '';
const verbOf = (action: string): string => action.split('.')[1] ?? '';

/** FHIR action codes by verb: C created, R read, U updated, D deleted. Every other verb is E, executed. */
const kinds: readonly [NonNullable<AuditEvent['action']>, RegExp][] = [
  ['C', /^(create|store|begin(Addendum)?|add)/],
  ['R', /^(view|prefetch|retrieve|read|print|pdf|open$)/],
  [
    'U',
    /^(update|edit|save|status|move|merge|assign|extend|restore|finalize|addend|submitReview|requestReview|rerouteReview)/,
  ],
  ['D', /^(delete|remove|purge|discard|revoke|unassign)/],
];
const kindOf = (action: string): NonNullable<AuditEvent['action']> => {
  if (nounOf(action) === 'session') return 'E';
  return kinds.find(([, verbs]) => verbs.test(verbOf(action)))?.[0] ?? 'E';
};

const entityType = (code: string, display: string): Coding => ({
  system: 'http://terminology.hl7.org/CodeSystem/audit-entity-type',
  code,
  display,
});
const role = (code: string, display: string): Coding => ({
  system: 'http://terminology.hl7.org/CodeSystem/object-role',
  code,
  display,
});

const identifierOf = (noun: string, value: string) => ({ identifier: { system: `urn:radwork:${noun}`, value } });

const entitiesOf = ({ entity, entityId, patient, study, detail, position, seal }: AuditEntry): AuditEventEntity[] => {
  const facts = [
    ...Object.entries(detail).map(([type, value]) => ({ type, valueString: String(value) })),
    ...(position === null || seal === null
      ? []
      : [
          { type: 'chainPosition', valueString: String(position) },
          { type: 'chainHash', valueString: seal },
        ]),
  ].filter(({ type, valueString }) => type !== '' && valueString !== '');
  return [
    ...(patient
      ? [
          {
            what: { ...identifierOf('patient', patient.id), type: 'Patient' },
            type: entityType('1', 'Person'),
            role: role('1', 'Patient'),
          },
        ]
      : []),
    ...(study
      ? [
          {
            what: { ...identifierOf('study', study.id), type: 'ImagingStudy' },
            type: entityType('2', 'System Object'),
            role: role('3', 'Report'),
          },
        ]
      : []),
    {
      ...(entityId && { what: identifierOf(entity, entityId) }),
      type: entityType('2', 'System Object'),
      role: role('4', 'Domain Resource'),
      description: entity,
      ...(facts.length > 0 && { detail: facts }),
    },
  ];
};

/** Returns one entry as an AuditEvent. */
export const auditEventOf = (entry: AuditEntry): AuditEvent => {
  const { id, time, user, tenant, action, outcome, ip } = entry;
  const own = { system: 'urn:radwork:audit-action', code: action, display: auditActionWords(action) };
  return {
    resourceType: 'AuditEvent',
    id,
    type: byAction[action] ?? byNoun[nounOf(action)] ?? restful,
    subtype: [...(subtypes[action] ? [subtypes[action]] : []), own],
    action: kindOf(action),
    recorded: time,
    outcome: outcome === 'SUCCESS' ? '0' : '4',
    agent: [
      {
        who: { ...(user.id && identifierOf('user', user.id)), display: user.username || 'unknown' },
        requestor: true,
        ...(ip && { network: { address: ip, type: '2' } }),
      },
    ],
    source: {
      ...(tenant && { site: tenant }),
      observer: { display: 'Radwork' },
      type: [
        {
          system: 'http://terminology.hl7.org/CodeSystem/security-source-type',
          code: '4',
          display: 'Application Server',
        },
      ],
    },
    entity: entitiesOf(entry),
  };
};
