import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { unseenPartsIn, unseenPartsNotice } from '@radwork/contract/reading/filled-parts';
import type { Report } from '@radwork/contract/reading/reports';
import { openFilledText } from '#reading/editor/filled/open-filled-text.ts';
import { Notice } from '#ui/feedback/notice.tsx';

/** Delay in milliseconds, because the closing dialog first returns the focus to its button. */
const focusReturnsIn = 60;

/** Says how many filled parts the reader has not looked at, and leads to the first. It does not prevent signing. */
export function UnseenPartsNotice({ report, onClose }: { report: Report; onClose: () => void }) {
  const { studyId, content } = report;
  const text = openFilledText(studyId);
  const message = unseenPartsNotice(text?.count() ?? unseenPartsIn(content).length);
  if (message === undefined) return null;
  const show = () => {
    onClose();
    setTimeout(() => text?.show(), focusReturnsIn);
  };
  return (
    <Notice tone="warning">
      {message}{' '}
      {text && (
        <Button size="compact-xs" variant="default" onClick={show}>
          {t`Go to the first`}
        </Button>
      )}
    </Notice>
  );
}
