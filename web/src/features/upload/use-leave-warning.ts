import { useBlocker } from '@tanstack/react-router';
import { readSession } from '#core/session.ts';
import { confirm } from '#ui/confirm.tsx';

const stay = async () => {
  // Somebody whose session has ended is on the way to sign in and will find the list as it was.
  if (!readSession()) return false;
  const leaves = await confirm({
    question: 'Leave while files are being uploaded?',
    consequence: 'The upload stops. What has been uploaded stays in the archive; choose the same files again to go on.',
    verb: 'Leave and stop the upload',
  });
  return !leaves;
};

/** Asks before an upload under way is lost by going elsewhere, reloading or closing the tab. */
export const useLeaveWarning = (isUploading: boolean) => {
  useBlocker({ shouldBlockFn: stay, enableBeforeUnload: isUploading, disabled: !isUploading });
};
