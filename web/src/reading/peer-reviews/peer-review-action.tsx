import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { peerReviews } from '@radwork/contract/reading/peer-reviews';
import type { Report } from '@radwork/contract/reading/reports';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query } from '#core/http/api.ts';
import { may, useSession } from '#core/state/session.ts';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { useChoosePeerReview } from './peer-review-actions.ts';
import { ScoreForm } from './score-form.tsx';

/**
 * Button next to the report of a prior. It starts a peer review of that report, for readers who did not write, review
 * or sign it.
 */
export function PeerReviewAction({ report }: { report: Report }) {
  const [isOpen, setOpen] = useState(false);
  const session = useSession();
  const { author, reviewer, finalizedBy, addenda, status } = report;
  const people = [author, reviewer, finalizedBy, ...addenda.map((addendum) => addendum.finalizedBy)];
  const isOwn = people.some((person) => person?.id === session?.user.id);
  if (!may(peerReviews.choose) || status !== 'FINALIZED' || isOwn) return null;
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={() => setOpen(true)}>
        {t`Peer review`}
      </Button>
      {isOpen && <ChooseDialog reportId={report.id} onClose={() => setOpen(false)} />}
    </>
  );
}

function ChooseDialog({ reportId, onClose }: { reportId: string; onClose: () => void }) {
  const terms = useQuery(query(peerReviews.terms, {}));
  const choose = useChoosePeerReview();
  return (
    <Dialog opened onClose={onClose} title={t`Peer review`} size={480}>
      {terms.isPending && <Skeleton lines={4} label={t`Loading grades`} />}
      {terms.isLoadingError && (
        <ErrorState failed={t`Could not load the grades`} error={terms.error} onRetry={() => void terms.refetch()} />
      )}
      {terms.data && (
        <ScoreForm
          grades={terms.data.grades}
          action={choose}
          onCancel={onClose}
          onScore={(body) => choose.mutate({ params: { id: reportId }, body }, { onSuccess: onClose })}
        />
      )}
    </Dialog>
  );
}
