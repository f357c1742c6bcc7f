import { spawnSync } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { connect, sequencesOf, tablesOf } from '#backup/database-facts.ts';

const root = resolve(import.meta.dirname, '../..');

/** Times and large numbers have the types to which src/core/database/database.ts parses them. */
const typeMapping = { timestamptz: 'string', timestamp: 'string', int8: 'number' };

const contract = (file: string, type: string) => `import('@radwork/contract/${file}').${type}`;

/** Text columns limited by a check constraint, with their contract types. */
const columns = {
  'studies.status': `Generated<${contract('imaging/study-status', 'StudyStatus')}>`,
  'studies.priority': `Generated<${contract('core/priorities', 'Priority')}>`,
  'study_modalities.status': contract('imaging/study-status', 'StudyStatus'),
  'study_assignments.status': `Generated<'ACTIVE' | 'COMPLETED' | 'CANCELLED'>`,
  'group_assignments.status': `Generated<'ACTIVE' | 'COMPLETED' | 'CANCELLED'>`,
  'assignment_rules.assignee_kind': contract('reading/assignment-rules', 'RuleAssigneeKind'),
  'assignment_rules.conditions': `import('kysely').ColumnType<${contract('imaging/arrival-conditions', 'ArrivalConditions')}, string, string>`,
  'groups.kind': contract('identity/groups', 'GroupKind'),
  'study_participants.role': `'REFERRER' | 'ORDERER' | 'ASSIGNEE' | 'SHARED'`,
  'patients.gender': `Generated<${contract('imaging/patients', 'Gender')}>`,
  'early_purges.kind': `'REPLACE' | 'PURGE'`,
  'identity_questions.state': `Generated<${contract('imaging/identities', 'IdentityState')}>`,
  'identity_questions.origin': contract('imaging/identities', 'IdentityOrigin'),
  'tenants.contradicting_patients': `Generated<${contract('core/patient-issuer', 'ContradictingPatients')}>`,
  'patient_merges.kind': contract('imaging/patient-merges', 'MergeKind'),
  'patient_differences.field': contract('imaging/patient-merges', 'PatientColumn'),
  'patient_differences.status': `Generated<'OPEN' | 'ACCEPTED' | 'DISMISSED'>`,
  'reports.status': `Generated<${contract('imaging/study-marks', 'ReportStatus')}>`,
  'report_addenda.kind': contract('reading/report-parts', 'AddendumKind'),
  'report_comments.state': `Generated<${contract('reading/report-comments', 'CommentState')}>`,
  'review_phrases.decision': contract('reading/review-phrases', 'ReviewDecision'),
  'report_versions.status': contract('imaging/study-marks', 'ReportStatus'),
  'report_versions.action': contract('reading/report-status', 'ReportAction'),
  'critical_findings.severity': contract('reading/critical-finding-states', 'CriticalSeverity'),
  'critical_findings.state': `Generated<${contract('imaging/study-marks', 'CriticalState')}>`,
  'critical_findings.acknowledged_how': `${contract('reading/critical-finding-states', 'AcknowledgmentMethod')} | null`,
  'critical_restarts.acknowledged_how': `${contract('reading/critical-finding-states', 'AcknowledgmentMethod')} | null`,
  'critical_restarts.state': contract('imaging/study-marks', 'CriticalState'),
  'critical_communications.method': contract('reading/critical-finding-states', 'CommunicationMethod'),
  'critical_contacts.rung': `'ON_CALL' | 'LEAD'`,
  'report_link_opens.outcome': contract('reading/sharing', 'LinkOutcome'),
  'tenants.ai_provider': `Generated<${contract('reading/reporting-settings', 'AiProvider')}>`,
  'tenants.report_identifier': `Generated<${contract('reading/reporting-settings', 'ReportIdentifier')}>`,
  'tenants.signing_proof': `Generated<${contract('identity/signing-means', 'SigningProof')}>`,
  'ai_passages.kind': contract('reading/drafting', 'PassageKind'),
  'ai_passages.provider': contract('reading/reporting-settings', 'AiProvider'),
  'ai_passages.decision': `${contract('reading/drafting', 'PassageDecision')} | null`,
  'remote_configurations.protocol': contract('imaging/remote-archives', 'RemoteProtocol'),
  'remote_configurations.auth_type': contract('imaging/remote-archives', 'AuthType'),
  'header_differences.outcome': contract('imaging/rereadings', 'RereadOutcome'),
  'import_jobs.state': `Generated<${contract('imaging/import-job-states', 'ImportJobState')}>`,
  'import_jobs.protocol': contract('imaging/remote-archives', 'RemoteProtocol'),
  'report_deliveries.kind': contract('reading/report-delivery', 'DeliveryKind'),
  'report_deliveries.state': `Generated<${contract('reading/report-delivery', 'DeliveryState')}>`,
  'report_deliveries.resources': `import('kysely').ColumnType<{ type: string; id: string }[], string | undefined, string>`,
  'outbound_messages.channel': contract('reading/outreach', 'OutreachChannel'),
  'outbound_messages.topic': contract('reading/outreach', 'OutboundTopic'),
  'outbound_messages.state': `Generated<${contract('reading/outreach', 'OutboundState')}>`,
  'outreach_choices.channel': contract('reading/outreach', 'PersonalChannel'),
  'outreach_choices.topic': contract('reading/outreach', 'OutreachTopic'),
  'webhooks.topics': `${contract('reading/outreach', 'OutreachTopic')}[]`,
  'roles.permissions': `${contract('core/access', 'Permission')}[]`,
  'single_sign_on.fallback_type': `${contract('identity/single-sign-on', 'FallbackType')} | null`,
  'users.user_type': contract('core/access', 'UserType'),
  'task_history.type': `'STUDY_STATUS_CHANGE' | 'STUDY_ASSIGNMENT' | 'REPORT_STATUS' | 'CRITICAL_FINDING'`,
  'audit_entries.outcome': `'SUCCESS' | 'FAILURE'`,
  'notifications.type': contract('identity/notifications', 'NotificationType'),
  'follow_ups.modality': `${contract('reading/follow-up-states', 'FollowUpModality')} | ''`,
  'follow_ups.body_part': `${contract('reading/follow-up-parts', 'FollowUpPart')} | ''`,
  'follow_ups.state': contract('reading/follow-up-states', 'FollowUpState'),
  'follow_ups.review_cause': `${contract('reading/follow-up-states', 'FollowUpReviewCause')} | null`,
  'follow_up_events.event': contract('reading/follow-up-states', 'FollowUpEvent'),
  'follow_up_events.state': contract('reading/follow-up-states', 'FollowUpState'),
  'follow_up_settings.owner': `Generated<${contract('reading/follow-up-states', 'FollowUpOwner')}>`,
  'lesions.kind': contract('reading/lesion-states', 'LesionKind'),
  'lesion_assessments.state': contract('reading/lesion-states', 'LesionState'),
  'peer_reviews.origin': contract('reading/peer-reviews', 'PeerReviewOrigin'),
  'peer_reviews.state': `Generated<${contract('reading/peer-reviews', 'PeerReviewState')}>`,
  'hanging_rules.modality': contract('reading/hanging-rules', "HangingRuleForm['modality']"),
  'hanging_rules.body_part': contract('reading/hanging-rules', "HangingRuleForm['bodyPart']"),
  'hanging_rules.monitors': contract('reading/hanging-rules', "HangingRuleForm['monitors']"),
  'hanging_rules.layout': contract('reading/hanging-rules', "HangingRuleForm['layout']"),
  'hanging_rules.prior': contract('reading/hanging-rules', 'PriorPlace'),
  'hanging_rules.panes': `import('kysely').ColumnType<${contract('reading/hanging-rules', 'HangingPane')}[], string, string>`,
  'hanging_rules.linked_scroll': contract('reading/hanging-rules', "HangingRuleForm['linkedScroll']"),
  'hanging_rules.window_preset': contract('reading/hanging-rules', "HangingRuleForm['window']"),
  'hanging_rules.tool': contract('reading/hanging-rules', "HangingRuleForm['tool']"),
  'saved_views.owner_kind': contract('imaging/saved-views', 'SavedViewOwner'),
  'saved_views.search': `import('kysely').ColumnType<${contract('imaging/saved-views', 'SavedSearch')}, string, string>`,
  'instances.plane': `NonNullable<${contract('imaging/study-rows', "SeriesSummary['plane']")}> | null`,
  'kept_layouts.layout': contract('reading/kept-layouts', 'KeptLayoutName'),
  'unwanted_notifications.type': contract('identity/notifications', 'OptionalNotificationType'),
};

const run = (program: string, ...args: string[]) => {
  const { status, stderr, stdout } = spawnSync(resolve(root, 'node_modules/.bin', program), args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr || stdout);
};

/**
 * Writes the TypeScript types of a migrated database to a file, and its columns and sequences, by which a backup
 * recognizes them. Throws with the message of the generator.
 */
export const generateSchema = async (url: string, file: string): Promise<void> => {
  const options = {
    '--url': url,
    '--out-file': file,
    '--dialect': 'postgres',
    '--singularize': 'false',
    '--date-parser': 'string',
    '--exclude-pattern': '*.{schema_migrations,study_search,patient_search}',
    '--type-mapping': JSON.stringify(typeMapping),
    '--overrides': JSON.stringify({ columns }),
  };
  run('kysely-codegen', ...Object.entries(options).flat());
  await appendFile(file, await knownTables(url));
  run('oxfmt', file);
};

const knownTables = async (url: string): Promise<string> => {
  const client = await connect(url);
  try {
    const known = Object.fromEntries((await tablesOf(client)).map((table) => [table.name, table.columns.join(' ')]));
    const sequences = (await sequencesOf(client)).map(({ name }) => name);
    return `
/** The columns of each table that the migrations make, without those that are computed. */
export const knownColumns: Record<string, string> = ${JSON.stringify(known)};

export const knownSequences: string[] = ${JSON.stringify(sequences)};
`;
  } finally {
    await client.end();
  }
};
