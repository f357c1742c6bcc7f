import type { AuditReads } from '#core/audit-reads.ts';
import type { Noted } from '#core/audit.ts';
import type { WatchedInput } from '#core/call-input.ts';
import type { Watch } from '#core/http.ts';
import { type About, auditedCalls } from './audited-calls.ts';

/** Notes readings as the table of audited calls says, and every refusal. */
export const watchForAudit = (reads: AuditReads): Watch => ({
  answered: (endpoint, session, input) => {
    const audited = auditedCalls.get(endpoint);
    if (audited?.by !== 'watch') return;
    const { action, entity, about } = audited;
    const id = idOf(input);
    const subject: Noted['subject'] = {
      entity,
      ...(about && about !== 'studyUid' && { entityId: id }),
      ...(about === 'study' && { studyId: id }),
      ...(about === 'studyUid' && { studyUid: id }),
      ...(about === 'patient' && { patientId: id }),
      ...(!about && { detail: { filters: filtersOf(input) } }),
    };
    reads.noteReading(session, action, subject, `${endpoint.path} ${whatOf(about, input)}`);
  },
  refused: (session, route, status) => {
    const action = status === 403 ? 'access.refuse' : 'access.miss';
    reads.noteReading(
      { ...session, isPoll: false },
      action,
      { entity: 'access', outcome: 'FAILURE', detail: { route } },
      route,
    );
  },
});

const idOf = ({ params }: WatchedInput): string => params['id'] ?? params['conversationId'] ?? params['studyUid'] ?? '';

/** Tells one reading from another; one page may ask for its parts by several calls. It stays in memory: words that were searched for are not written down. */
const whatOf = (about: About | undefined, input: WatchedInput): string =>
  about ? idOf(input) : JSON.stringify({ ...input.query, parts: undefined });

/** By what was searched, never for what: "status modality". */
const filtersOf = ({ query }: WatchedInput): string =>
  Object.keys(query)
    .filter((key) => query[key] !== '' && /^[\w.-]{1,64}$/.test(key))
    .slice(0, 20)
    .join(' ');
