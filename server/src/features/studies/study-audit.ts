import type { Query } from '@radwork/contract/endpoint';
import type { StudyAuditEntry, studies as endpoints } from '@radwork/contract/studies';
import { whyNotInChat } from '#core/chat-access.ts';
import { holds, type Scope } from '#core/scope.ts';
import { studyById } from './study-rows.ts';

/** How many entries whoever may see a study may see of its audit; the rest is for those who may read all of it (C31). */
const mostWithoutRight = 5;

/** The newest entries of the audit about a study, newest first; of its conversation for those who take part in it. */
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
    .$if(!isInChat, (entries) => entries.where('action', 'not like', 'chat.%'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(holds(scope.session, 'audit.view') ? size : Math.min(size, mostWithoutRight))
    .execute();
  return rows.map((row) => ({ ...row, id: String(row.id) }));
};
