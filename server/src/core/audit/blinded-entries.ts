import { type RawBuilder, sql } from 'kysely';
import type { Session } from '#core/access/scope.ts';

/**
 * SQL condition: an audit entry shows the caller no name that a blinded peer review hides. It hides acts of the other
 * party of a review: the reviewer from the author, and the author from the reviewer. It also hides every entry of an
 * open review from the author, who must not learn that a report was chosen. Other users see these entries, and so does
 * the verification of the chain.
 */
export const isNotBlinded = ({ userId }: Session): RawBuilder<boolean> => sql`(
  entity <> 'peer_review' or user_id::text = ${userId} or not exists (
    select from peer_reviews p join reports r on r.id = p.report_id
    where p.id::text = entity_id and p.state = 'OPEN' and ${userId} in (r.author_id::text, r.finalized_by::text)
  ) and (user_id is null or not exists (
    select from peer_reviews p join reports r on r.id = p.report_id
    where p.id::text = entity_id and (
      (${userId} in (r.author_id::text, r.finalized_by::text)
        and coalesce((select hides_reviewer from peer_review_settings), true))
      or (p.reviewer_id::text = ${userId} and coalesce((select hides_author from peer_review_settings), true))))))`;
