import {
  mostExportedPeerReviews,
  type PeerReview,
  peerReviewExportQuery,
} from '@radwork/contract/reading/peer-reviews';
import { audit } from '#core/audit/audit.ts';
import { type CsvRow, namedByDay, portionsOf, sendCsv, streamQuery } from '#core/http/csv.ts';
import type { StreamCall } from '#core/http/http.ts';
import { forbidden } from '#core/http/problem.ts';
import { hasPermission, type Scopes } from '#core/access/scope.ts';
import { reviewsWhere } from './peer-review-rows.ts';
import { listedIds } from './service.ts';

const heading = [
  'Patient Name',
  'Patient ID',
  'Modality',
  'Study',
  'Study date',
  'Author',
  'Reviewer',
  'Origin',
  'Grade',
  'Wording',
  'Significant',
  'Comment',
  'Scored',
  'Reply',
  'Replied',
  'Report ID',
];

const lineOf = (review: PeerReview): CsvRow => [
  review.patientName,
  review.patientId,
  review.modality,
  review.studyDescription,
  (review.studyDate ?? '').replace('T', ' '),
  review.author?.name ?? '',
  review.reviewer?.name ?? '',
  review.origin === 'RANDOM' ? 'Random' : 'Chosen',
  review.grade ?? '',
  review.gradeLabel,
  review.isSignificant ? 'yes' : '',
  review.comment,
  review.scoredAt ?? '',
  review.reply,
  review.repliedAt ?? '',
  review.reportId,
];

const cutLine = (limit: string): string => `This export ends at ${limit} peer reviews. More peer reviews match.`;

/** Sends the reviews of the caller as CSV, and audits this before the first row is sent. */
export const exportReviews = async (scopes: Scopes, { request, reply, session }: StreamCall) => {
  const most = mostExportedPeerReviews;
  const { view } = streamQuery(peerReviewExportQuery, request);
  const ids = await scopes.inTenant(session, async (scope) => {
    if (!hasPermission(scope.session, 'report.edit')) throw forbidden();
    const found = await listedIds(scope, view, most + 1);
    const detail = { reviews: Math.min(found.length, most) };
    await audit(scope, 'peer_review.exportList', { entity: 'peer_review', detail });
    return found;
  });
  // Checks the rights of each portion again.
  const read = (some: string[]) =>
    scopes.inTenant(session, async (scope) => {
      const reviews = await reviewsWhere(scope, (rows) => rows.where('p.id', 'in', some));
      return reviews.toSorted((one, other) => some.indexOf(one.id) - some.indexOf(other.id)).map(lineOf);
    });
  return sendCsv(reply, {
    name: namedByDay('peer-reviews'),
    heading,
    portions: portionsOf(ids, { most, read, cutLine }),
  });
};
