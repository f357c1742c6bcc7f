/** TO_DO: reviews that the caller has to score. DONE: those that the caller has scored. RECEIVED: those of own reports. */
export const peerReviewViews = ['TO_DO', 'DONE', 'RECEIVED'] as const;
export type PeerReviewView = (typeof peerReviewViews)[number];
