import { t } from '@lingui/core/macro';
import type { Call, Reply } from '@radwork/contract/core/endpoint';
import { type CommentsOfReport, reportComments } from '@radwork/contract/reading/report-comments';
import type { Report } from '@radwork/contract/reading/reports';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, errorMessageOf, query } from '#core/http/api.ts';
import { useAuditedQuery } from '#core/http/audited-query.ts';
import { toast } from '#core/browser/toasts.ts';

const commentsKey = (id: string) => query(reportComments.list, { params: { id } }).queryKey;

/**
 * Comments of a report. They are only requested if the report has some. Until then, the rights of the report tell what
 * the user may do.
 */
export const useComments = (report: Report) => {
  const answer = useQuery({
    ...useAuditedQuery(reportComments.list, { params: { id: report.id } }),
    enabled: report.commentCount > 0,
  });
  const { canEdit, canSubmitReview } = report.rights;
  const none: CommentsOfReport = {
    reportId: report.id,
    studyId: report.studyId,
    comments: [],
    canComment: canEdit || canSubmitReview,
    canSuggest: canSubmitReview,
    canDecide: canEdit,
  };
  return {
    ...(answer.data ?? none),
    isPending: answer.isLoading,
    error: answer.error,
    retry: () => void answer.refetch(),
  };
};
export type Comments = ReturnType<typeof useComments>;

type Changing = Exclude<(typeof reportComments)[keyof typeof reportComments], typeof reportComments.list>;

/** Mutation that returns all comments. After a failure, the comments are fetched again, because they may be outdated. */
const useChange = <E extends Changing>(endpoint: E, failed: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Call<E>): Promise<Reply<E>> => call(endpoint, input),
    onSuccess: (answer) => {
      const comments: CommentsOfReport = answer;
      client.setQueryData(commentsKey(comments.reportId), comments);
      // The count of comments in the report.
      void client.invalidateQueries({ queryKey: ['studies'] });
    },
    onError: (error) => {
      toast.failure(errorMessageOf(error, failed));
      void client.invalidateQueries({ queryKey: ['reports'] });
    },
  });
};

export const useCreateComment = () => useChange(reportComments.create, t`Error adding comment`);
export const useReply = () => useChange(reportComments.reply, t`Error adding reply`);
export const useSettleComment = () => useChange(reportComments.settle, t`Error updating comment`);
export const useDeleteComment = () => useChange(reportComments.remove, t`Error deleting comment`);
