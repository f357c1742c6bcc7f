import { plural, t } from '@lingui/core/macro';
import { Radio, Select, type SelectProps, Textarea } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { rerouteForm, reviewForm, reviewRequestForm } from '@radwork/contract/reading/report-forms';
import { type Report, reports } from '@radwork/contract/reading/reports';
import { useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { userOptions } from '#ui/formats/user-options.ts';
import { ErrorState } from '#ui/feedback/content-states.tsx';
import { useComments } from '#reading/reports/comments/use-comments.ts';
import { PhraseChoice, useReviewPhrases } from './review-phrases.tsx';
import { ChangedSinceOpened, useReviewedVersion } from './changed-since-opened.tsx';
import { useRequestReview, useRerouteReview, useSubmitReview } from '#reading/reports/panel/report-actions.ts';

type Props = {
  report: Report;
  /** Version on the screen when the button was pressed. Default: the current version. */
  seen?: Report | undefined;
  opened: boolean;
  onClose: () => void;
};

/** Asks a colleague to review the last saved text. */
export function RequestReviewDialog({ opened, onClose, ...form }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Request review`} size={460}>
      <RequestReviewForm {...form} onClose={onClose} />
    </Dialog>
  );
}

function RequestReviewForm({ report, seen: openedReport = report, onClose }: Omit<Props, 'opened'>) {
  const request = useRequestReview();
  const { seen, isOutdated, adopt } = useReviewedVersion(report, openedReport, request);
  const form = useForm({
    initialValues: { reviewerId: report.reviewer?.id ?? '', notes: '' },
    validate: schemaResolver(reviewRequestForm, { sync: true }),
  });
  const submit = form.onSubmit((body) =>
    request.mutate({ params: { id: seen.id }, body: { ...body, revision: seen.revision } }, { onSuccess: onClose }),
  );
  return (
    <DialogForm verb={t`Request review`} action={request} isBarred={isOutdated} onSubmit={submit} onCancel={onClose}>
      {isOutdated && (
        <ChangedSinceOpened
          seen={seen}
          newer={report}
          consequence={t`No review was requested.`}
          verb={t`Request review of newer text`}
          onAdopt={adopt}
        />
      )}
      <UnsettledComments report={report} />
      <ReviewerSelect
        report={report}
        none={t`No user here has permission to review reports.`}
        {...form.getInputProps('reviewerId')}
      />
      <Textarea label={t`Notes`} rows={3} maxLength={4000} {...form.getInputProps('notes')} />
    </DialogForm>
  );
}

/** Tells the author how many comments of the last review are still open. */
function UnsettledComments({ report }: { report: Report }) {
  const { comments } = useComments(report);
  const count = comments.filter(({ state }) => state === 'OPEN').length;
  if (count === 0) return null;
  return (
    <Notice tone="info">
      {t`${plural(count, { one: '# comment is still open.', other: '# comments are still open.' })}`}
    </Notice>
  );
}

type ReviewerSelectProps = SelectProps & {
  report: Report;
  /** User who cannot be chosen as reviewer. */
  except?: string | undefined;
  /** Text shown when there is no reviewer to choose. */
  none: string;
};

function ReviewerSelect({ report, except, none, ...input }: ReviewerSelectProps) {
  const { data, error, refetch } = useQuery(query(reports.reviewers, { params: { id: report.id } }));
  if (error) return <ErrorState failed={t`Could not load reviewers`} error={error} onRetry={() => void refetch()} />;
  const offered = data?.filter(({ id }) => id !== except);
  return (
    <>
      {offered?.length === 0 && <Notice tone="info">{none}</Notice>}
      <Select
        label={t`Reviewer`}
        withAsterisk
        searchable
        openOnFocus={false}
        placeholder={offered ? t`Select a reviewer` : t`Loading reviewers…`}
        data={userOptions(offered ?? [])}
        data-autofocus
        {...input}
      />
    </>
  );
}

/** Assigns another reviewer to a waiting report, for example when the first reviewer is away. */
export function RerouteReviewDialog({ opened, ...form }: SubmitProps) {
  return (
    <Dialog opened={opened} onClose={form.onClose} title={t`Ask another reviewer`} size={460}>
      <RerouteReviewForm {...form} />
    </Dialog>
  );
}

function RerouteReviewForm({ report, onClose, onDone = onClose }: Omit<SubmitProps, 'opened'>) {
  const reroute = useRerouteReview();
  const reviewer = report.reviewer?.name ?? '';
  const form = useForm({
    initialValues: { reviewerId: '' },
    validate: schemaResolver(rerouteForm.pick({ reviewerId: true }), { sync: true }),
  });
  const submit = form.onSubmit(({ reviewerId }) =>
    reroute.mutate(
      { params: { id: report.id }, body: { reviewerId, revision: report.revision } },
      { onSuccess: onDone },
    ),
  );
  return (
    <DialogForm verb={t`Ask this reviewer`} action={reroute} onSubmit={submit} onCancel={onClose}>
      <Notice tone="info">
        {t`${reviewer} is notified and can no longer review this report. The notes to the reviewer remain.`}
      </Notice>
      <ReviewerSelect
        report={report}
        except={report.reviewer?.id}
        none={t`No other user here has permission to review reports.`}
        {...form.getInputProps('reviewerId')}
      />
    </DialogForm>
  );
}

/** `onDone` is called instead of `onClose` after the review was submitted. */
type SubmitProps = Omit<Props, 'seen'> & { onDone?: () => void };

/** Approves a report or returns it to its author. */
export function SubmitReviewDialog({ opened, ...form }: SubmitProps) {
  return (
    <Dialog opened={opened} onClose={form.onClose} title={t`Submit review`} size={460}>
      <SubmitReviewForm {...form} />
    </Dialog>
  );
}

function SubmitReviewForm({ report, onClose, onDone = onClose }: Omit<SubmitProps, 'opened'>) {
  const review = useSubmitReview();
  const phrases = useReviewPhrases();
  const { seen, isOutdated, adopt } = useReviewedVersion(report, report, review);
  const form = useForm({
    initialValues: { verdict: 'approve', comments: '' },
    validate: schemaResolver(reviewForm.pick({ comments: true }), { sync: true }),
  });
  const submit = form.onSubmit(({ verdict, comments }) =>
    review.mutate(
      { params: { id: report.id }, body: { approved: verdict === 'approve', comments, revision: seen.revision } },
      { onSuccess: onDone },
    ),
  );
  return (
    <DialogForm verb={t`Submit review`} action={review} isBarred={isOutdated} onSubmit={submit} onCancel={onClose}>
      {isOutdated && (
        <ChangedSinceOpened
          seen={seen}
          newer={report}
          consequence={t`No review was submitted.`}
          verb={t`Review newer text`}
          onAdopt={adopt}
        />
      )}
      {report.reviewNotes && (
        <Notice tone="info">
          {report.author.name}: {report.reviewNotes}
        </Notice>
      )}
      <OpenComments report={report} verdict={form.values.verdict} />
      <Radio.Group
        label={t`Decision`}
        {...form.getInputProps('verdict')}
        onChange={(verdict) => {
          form.setFieldValue('verdict', verdict);
          // A phrase of the other decision would contradict this one.
          if (phrases.some(({ text }) => text === form.values.comments)) form.setFieldValue('comments', '');
        }}
      >
        <Radio size="xs" mt={10} value="approve" label={t`Approve`} />
        <Radio size="xs" mt={10} value="revise" label={t`Request revision`} />
      </Radio.Group>
      <Textarea
        label={t`Comments`}
        withAsterisk
        rows={3}
        maxLength={4000}
        data-autofocus
        {...form.getInputProps('comments')}
      />
      <PhraseChoice
        phrases={phrases}
        decision={form.values.verdict === 'approve' ? 'APPROVE' : 'REVISE'}
        comments={form.values.comments}
        onChoose={(text) => form.setFieldValue('comments', text)}
      />
    </DialogForm>
  );
}

/** Tells a reviewer that an approval leaves suggestions undecided, because an approved text does not change. */
function OpenComments({ report, verdict }: { report: Report; verdict: string }) {
  const { comments } = useComments(report);
  const count = comments.filter(({ state, replacement }) => state === 'OPEN' && replacement !== null).length;
  if (count === 0 || verdict !== 'approve') return null;
  return (
    <Notice tone="warning">
      {t`${plural(count, {
        one: '# suggested change is open. The author can accept it only if you request a revision.',
        other: '# suggested changes are open. The author can accept them only if you request a revision.',
      })}`}
    </Notice>
  );
}
