import { t } from '@lingui/core/macro';
import { reportFeedbackCalls } from '@radwork/contract/reading/report-feedback';
import { useQuery } from '@tanstack/react-query';
import { query, useAction } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';

/** Changes by colleagues in the user's own reports. Empty for users who write none. */
export const useFeedback = () =>
  useQuery({ ...query(reportFeedbackCalls.list, {}), enabled: may(reportFeedbackCalls.list) });

/** Marks the feedback on a report as read or unread. */
export const useMarkFeedback = () => useAction(reportFeedbackCalls.mark, { failed: t`Error marking feedback` });
