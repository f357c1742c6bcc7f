import { t } from '@lingui/core/macro';
import { Button, Menu } from '@mantine/core';
import type { FollowUp } from '@radwork/contract/reading/follow-ups';
import { IconCheck, IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { useDecide, useDismissMatch, useReviewFollowUp } from './follow-up-actions.ts';
import { CloseFollowUpDialog, EditFollowUpDialog } from './follow-up-dialogs.tsx';
import { examinationName } from './follow-up-words.ts';
import styles from './follow-ups.module.css';

type Opened = 'edit' | 'DECLINED' | 'LOST';

/** Shows the actions that the caller can take on a row. */
export function FollowUpButtons({ row }: { row: FollowUp }) {
  const [opened, setOpened] = useState<Opened>();
  if (!row.canChange) return null;
  const close = () => setOpened(undefined);
  return (
    <div className={styles.buttons}>
      <StateButtons row={row} onOpen={setOpened} />
      {opened === 'edit' && <EditFollowUpDialog row={row} onClose={close} />}
      {(opened === 'DECLINED' || opened === 'LOST') && <CloseFollowUpDialog row={row} state={opened} onClose={close} />}
    </div>
  );
}

function StateButtons({ row, onOpen }: { row: FollowUp; onOpen: (opened: Opened) => void }) {
  const { action, decide } = useDecide();
  const review = useReviewFollowUp();
  const { state, reviewCause, id, revision } = row;
  const name = examinationName(row);
  if (state === 'OFFERED') {
    return (
      <>
        <Button
          size="compact-sm"
          leftSection={<IconCheck size={15} aria-hidden />}
          loading={action.isPending}
          onClick={() => decide(row, { state: 'OPEN' })}
        >
          {t`Add to follow-ups`}
        </Button>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => decide(row, { state: 'DISMISSED' })}>
          {t`Not a recommendation`}
        </Button>
      </>
    );
  }
  if (state !== 'OPEN' && state !== 'SCHEDULED') {
    return (
      <Button
        size="compact-sm"
        variant="default"
        loading={action.isPending}
        onClick={() => decide(row, { state: 'OPEN' })}
      >
        {t`Open again`}
      </Button>
    );
  }
  return (
    <>
      {reviewCause && (
        <Button
          size="compact-sm"
          loading={review.isPending}
          onClick={() => review.mutate({ params: { id }, body: { revision } })}
        >
          {t`Checked`}
        </Button>
      )}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="default"
            rightSection={<IconChevronDown size={14} aria-hidden />}
            aria-label={t`Change ${name}`}
          >
            {t`Change`}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => onOpen('edit')}>{t`Edit…`}</Menu.Item>
          {state === 'OPEN' && (
            <Menu.Item onClick={() => decide(row, { state: 'SCHEDULED' })}>{t`Scheduled`}</Menu.Item>
          )}
          <Menu.Item onClick={() => decide(row, { state: 'DONE' })}>{t`Done`}</Menu.Item>
          <Menu.Item onClick={() => onOpen('DECLINED')}>{t`Declined…`}</Menu.Item>
          <Menu.Item onClick={() => onOpen('LOST')}>{t`Lost to follow-up…`}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

/** Asks whether a study is the recommended examination. */
export function CandidateButtons({ row }: { row: FollowUp }) {
  const { action, decide } = useDecide();
  const dismiss = useDismissMatch();
  const { candidate, id } = row;
  if (!candidate || !row.canChange) return null;
  return (
    <span className={styles.buttons}>
      <Button
        size="compact-xs"
        variant="default"
        loading={action.isPending}
        onClick={() => decide(row, { state: 'DONE', studyId: candidate.id })}
      >
        {t`This is it`}
      </Button>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        loading={dismiss.isPending}
        onClick={() => dismiss.mutate({ params: { id }, body: { studyId: candidate.id } })}
      >
        {t`Another examination`}
      </Button>
    </span>
  );
}
