import { isAuditEntity } from '@radwork/contract/all';
import type { PathEntity } from '@radwork/contract/core/endpoint';
import type { AuditReads } from '#core/audit/audit-reads.ts';
import type { AuditedAct } from '#core/audit/audit.ts';
import type { WatchedInput } from '#core/http/call-input.ts';
import type { Watch } from '#core/http/http.ts';

/** Audits reads as their endpoints declare, and every refused call. */
export const watchForAudit = (reads: AuditReads): Watch => ({
  answered: (endpoint, session, input) => {
    const { audited } = endpoint;
    if (typeof audited === 'string' || 'because' in audited) return;
    const { entity, about, prefetched } = audited;
    const action = (session.isPrefetch && prefetched) || audited.action;
    // This error cannot occur, because tests of the contract prove that a noun declares every audited entity.
    if (!isAuditEntity(entity)) throw new Error(`No noun of the contract declares the entity "${entity}"`);
    const id = idOf(input);
    const subject: AuditedAct['subject'] = {
      entity,
      ...(about && about !== 'studyUid' && { entityId: id }),
      ...(about === 'study' && { studyId: id }),
      ...(about === 'studyUid' && { studyUid: id }),
      ...(about === 'patient' && { patientId: id }),
      ...(!about && { detail: { filters: filtersOf(input) } }),
    };
    reads.recordReading(session, action, subject, `${endpoint.path} ${whatOf(about, input)}`);
  },
  refused: (session, route, status) => {
    const action = status === 403 ? 'access.refuse' : 'access.miss';
    reads.recordReading(
      { ...session, isPoll: false },
      action,
      { entity: 'access', outcome: 'FAILURE', detail: { route } },
      route,
    );
  },
});

const idOf = ({ params }: WatchedInput): string => params['id'] ?? params['conversationId'] ?? params['studyUid'] ?? '';

/**
 * Identifies a read, so that repetitions are recognized. A page may fetch its parts with several calls. The key stays
 * in memory, because search terms must not be written to the audit log.
 */
const whatOf = (about: PathEntity | undefined, input: WatchedInput): string =>
  about ? idOf(input) : JSON.stringify({ ...input.query, parts: undefined });

/** Returns the names of the filters without their values, such as "status modality". */
const filtersOf = ({ query }: WatchedInput): string =>
  Object.keys(query)
    .filter((key) => query[key] !== '' && /^[\w.-]{1,64}$/.test(key))
    .slice(0, 20)
    .join(' ');
