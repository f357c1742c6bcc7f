import { t } from '@lingui/core/macro';
import { type PeerReview, peerReviewExport, peerReviews } from '@radwork/contract/reading/peer-reviews';
import { type PeerReviewView, peerReviewViews } from '@radwork/contract/reading/peer-review-views';
import { IconChecks } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useListExport } from '#core/http/use-list-export.ts';
import { may } from '#core/state/session.ts';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { query } from '#core/http/api.ts';
import { ExportButton } from '#ui/lists/export-button.tsx';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { formatLocal, formatMoment } from '#ui/formats/formats.ts';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { OutdatedList } from '#ui/lists/list-notice.tsx';
import { Pagination } from '#ui/lists/pagination.tsx';
import { useLastPageFallback } from '#ui/lists/use-last-page-fallback.ts';
import { ViewTabs } from '#ui/lists/view-tabs.tsx';
import { ModalityTag } from '#ui/marks/modality-tag.tsx';
import { OpenReview, Score } from './open-review.tsx';
import type { PeerReviewsSearch } from './peer-reviews-search.ts';
import styles from './peer-reviews.module.css';

const route = getRouteApi('/signed-in/shell/peer-reviews');
const defaultSize = 25;
const failed = t`Failed to load peer reviews`;

const viewLabels = (): Record<PeerReviewView, string> => ({
  TO_DO: t`To do`,
  DONE: t`Done`,
  RECEIVED: t`My reports`,
});

/** Screen /peer-reviews: reviews to score, scored reviews, and reviews of own reports. */
export function PeerReviewsScreen() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const { view = 'TO_DO', reviewId, page = 0, size = defaultSize } = search;
  const reviews = useQuery({
    ...query(peerReviews.list, { query: { page, size, view } }),
    placeholderData: keepPreviousData,
  });
  const change = (next: PeerReviewsSearch, replace = false) =>
    void navigate({ to: '/peer-reviews', search: { ...search, ...next }, replace });
  useLastPageFallback(reviews.data, (last) => change({ page: last || undefined }, true));
  const exporting = useListExport(
    peerReviewExport,
    { view },
    { done: t`Peer reviews exported. The audit log records the export.`, failed: t`Failed to export peer reviews` },
  );
  const { data, error } = reviews;
  const labels = viewLabels();
  return (
    <>
      <div className={styles.top}>
        <ScreenTitle
          title={t`Peer reviews`}
          actions={may(peerReviewExport) && <ExportButton exporting={exporting} />}
        />
        <div className={styles.filters}>
          <ViewTabs
            label={t`Peer reviews`}
            views={peerReviewViews.map((value) => ({
              value,
              label: labels[value],
              count: value === 'TO_DO' && data ? { total: data.toDo } : undefined,
            }))}
            current={view}
            onView={(next) => change({ view: next === 'TO_DO' ? undefined : next, page: undefined })}
          />
        </div>
      </div>
      <OutdatedList label={t`peer reviews`} result={reviews} failed={failed} />
      <div className={styles.board}>
        {reviews.isPending && (
          <div className={styles.loading}>
            <Skeleton lines={6} label={t`Loading peer reviews`} />
          </div>
        )}
        {reviews.isLoadingError && <ErrorState failed={failed} error={error} onRetry={() => void reviews.refetch()} />}
        {data?.content.length === 0 && <EmptyState icon={IconChecks} title={t`No peer reviews here`} />}
        {data && data.content.length > 0 && (
          <ul className={styles.cards} aria-label={t`Peer reviews`}>
            {data.content.map((review) => (
              <li key={review.id}>
                <ReviewCard review={review} onOpen={() => change({ reviewId: review.id })} />
              </li>
            ))}
          </ul>
        )}
      </div>
      {data && data.totalElements > 0 && <Pagination currentPage={data} size={size} onPaging={change} />}
      {reviewId && <OpenReview id={reviewId} onClose={() => change({ reviewId: undefined }, true)} />}
    </>
  );
}

function ReviewCard({ review, onOpen }: { review: PeerReview; onOpen: () => void }) {
  const { patientName, patientId, modality, studyDescription, studyDate, scoredAt, createdDate, reply } = review;
  return (
    <article className={styles.card}>
      <button type="button" className={styles.open} onClick={onOpen}>
        <span className={styles.name}>{patientName || t`No name`}</span>
        <span className="mono">{patientId}</span>
        <ModalityTag modality={modality} />
        <span>{[studyDescription, formatLocal(studyDate)].filter(Boolean).join(' · ')}</span>
      </button>
      <Score review={review} />
      <p className={styles.facts}>
        <span>{formatMoment(scoredAt ?? createdDate)}</span>
        {review.origin === 'RANDOM' ? <span>{t`Random`}</span> : <span>{t`Chosen`}</span>}
        {review.author && <span>{review.author.name}</span>}
        {reply && <span>{t`Reply: ${reply}`}</span>}
      </p>
    </article>
  );
}
