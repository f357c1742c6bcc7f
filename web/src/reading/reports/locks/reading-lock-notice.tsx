import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { beingRead } from '@radwork/contract/imaging/study-marks';
import type { ReadingOfReport } from '@radwork/contract/reading/reading-locks';
import { useState } from 'react';
import { formatMomentToday } from '#ui/formats/formats.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { TakeOverDialog } from './take-over-dialog.tsx';

type Props = {
  studyId: string;
  reading: ReadingOfReport | null;
  /** Whether the report of the study is finalized, so that writing begins another report. */
  isAnother: boolean;
  onTakenOver: () => void;
};

/** Names the reader who holds the reading lock, and offers to take it over. */
export function ReadingLockNotice({ reading, ...dialog }: Props) {
  const [isDialogOpen, setDialogOpen] = useState(false);
  if (!reading || reading.isMe) return null;
  const action = reading.canTakeOver && (
    <Button variant="default" size="compact-xs" onClick={() => setDialogOpen(true)}>
      {t`Take over`}
    </Button>
  );
  return (
    <div role="status">
      <Notice tone={reading.isTakenFromMe ? 'warning' : 'info'} action={action}>
        {wordsOf(reading)}
      </Notice>
      <TakeOverDialog {...dialog} reading={reading} opened={isDialogOpen} onClose={() => setDialogOpen(false)} />
    </div>
  );
}

const wordsOf = ({ name, since, reason, isTakenFromMe }: ReadingOfReport): string => {
  const time = formatMomentToday(since);
  return isTakenFromMe
    ? t`${name} took over this report from you at ${time}: ${reason}`
    : beingRead({ name, since: time });
};
