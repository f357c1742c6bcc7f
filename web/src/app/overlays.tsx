import { Notifications } from '@mantine/notifications';
import { toastTime } from '#core/browser/toasts.ts';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';

/** Confirmation dialog and toasts, over all pages. */
export function Overlays() {
  return (
    <>
      <ConfirmDialog />
      <Notifications position="bottom-right" autoClose={toastTime} limit={4} containerWidth={360} />
    </>
  );
}
