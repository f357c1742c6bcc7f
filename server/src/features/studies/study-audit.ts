import type { Query } from '@radwork/contract/endpoint';
import { seesDrafts } from '@radwork/contract/report-rights';
import type { StudyAuditEntry, studies as endpoints } from '@radwork/contract/studies';
import { sql } from 'kysely';
import { whyNotInChat } from '#core/chat-access.ts';
import { holds, type Scope } from '#core/scope.ts';
import { studyById } from './study-rows.ts';

/** How many entries whoever may see a study may see of its audit; the rest is for those who may read all of it (C31). */
const mostWithoutRight = 5;

/** Of an entry: that it tells of a report before it is signed, and who writes it (C78). */
const isOfDraft = sql<boolean>`(action like 'report.%' and action <> 'report.finalize'
  or action = 'study.takeOverReading')`;

/**
 * The newest entries of the audit about a study, newest first; of its conversation for those who take part in it, and of
 * the work on its report for those who see drafts.
 */
export const auditOfStudy = async (
  scope: Scope,
  id: string,
  { size }: Query<typeof endpoints.audit>,
): Promise<StudyAuditEntry[]> => {
  await studyById(scope, id);
  const isInChat = (await whyNotInChat(scope, id)) === null;
  const rows = await scope.db
    .selectFrom('audit_entries')
    .select(['id', 'action', 'created_at as timestamp', 'username', 'outcome'])
    .where('study_id', '=', id)
    // Whoever opens the page reads these few entries too: the newest would be nothing else.
    .where('action', '!=', 'study.viewAudit')
    .$if(!isInChat, (entries) => entries.where('action', 'not like', 'chat.%'))
    .$if(!seesDrafts(scope.session.userType), (entries) => entries.where((where) => where.not(isOfDraft)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(holds(scope.session, 'audit.view') ? size : Math.min(size, mostWithoutRight))
    .execute();
  return rows.map((row) => ({ ...row, id: String(row.id) }));
};
