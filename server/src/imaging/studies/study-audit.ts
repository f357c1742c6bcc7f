import type { Query } from '@radwork/contract/core/endpoint';
import { seesDrafts } from '@radwork/contract/reading/report-rights';
import type { studies as endpoints } from '@radwork/contract/imaging/studies';
import type { StudyAuditEntry } from '@radwork/contract/imaging/study-rows';
import { sql } from 'kysely';
import { whyNotInChat } from '#core/access/chat-access.ts';
import { hasPermission, type Scope } from '#core/access/scope.ts';
import { studyById } from './study-rows.ts';

/** Maximum number of entries for users who may not read the whole audit log. */
const mostWithoutRight = 5;

/** SQL condition: the entry reveals work on a report that is not signed yet. */
const isOfDraft = sql<boolean>`(action like 'report.%' and action <> 'report.finalize'
  or action = 'study.takeOverReading')`;

/**
 * Returns the latest audit entries of a study, latest first. Only members of the chat see its entries. Only users who
 * may see drafts see entries about drafts.
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
    // Leaves out views of this list, because they would displace all other entries.
    .where('action', '!=', 'study.viewAudit')
    // Leaves out peer reviews, because the list would name reviewer and author to each other.
    .where('action', 'not like', 'peer\\_review.%')
    .$if(!isInChat, (entries) => entries.where('action', 'not like', 'chat.%'))
    .$if(!seesDrafts(scope.session.userType), (entries) => entries.where((where) => where.not(isOfDraft)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(hasPermission(scope.session, 'audit.view') ? size : Math.min(size, mostWithoutRight))
    .execute();
  return rows.map((row) => ({ ...row, id: String(row.id) }));
};
