import { t } from '@lingui/core/macro';
import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { Report } from '@radwork/contract/reading/reports';
import type { ReactNode } from 'react';
import { reportCommands } from '#reading/reports/report-commands.ts';
import { CommandTooltip } from '#ui/keyboard/command-tooltip.tsx';
import { useCommands } from '#ui/keyboard/commands.ts';
import styles from './report-panel.module.css';

/** Obstacle of an action: the reason, and for a passage, a function that shows it. */
export type BlockingPassage = { reason: string; onShow?: () => void };

type Props = Pick<ButtonProps, 'variant' | 'leftSection' | 'loading'> & {
  act: keyof typeof commands;
  /** The report, or null before its first save. The action then saves it first. */
  report: Report | null;
  hindrance?: BlockingPassage | undefined;
  onClick: () => void;
  children: ReactNode;
};

/** Commands of the actions that have a key. */
const commands = {
  finalize: reportCommands.finalize,
  issuePreliminary: reportCommands.issuePreliminary,
  requestReview: reportCommands.requestReview,
  submitReview: reportCommands.submitReview,
} as const;

/**
 * Button for an action on a report, with the key of its command. When the action is not allowed, the button shows the
 * reason.
 */
export function ReportActionButton({ act, report, hindrance, onClick, children, ...button }: Props) {
  const refusal = report?.rights.reasons.find((entry) => entry.act === act)?.reason;
  const obstacle = hindrance?.reason;
  const reason =
    refusal ?? (obstacle && hindrance?.onShow ? t`${obstacle} Click to go to the first passage.` : obstacle);
  const command = commands[act];
  useCommands([{ command, run: reason || button.loading ? undefined : onClick }]);
  if (!reason) {
    return (
      <CommandTooltip command={command}>
        <Button {...button} onClick={onClick}>
          {children}
        </Button>
      </CommandTooltip>
    );
  }
  // A `disabled` button would not show its reason to mouse or keyboard users.
  return (
    <Tooltip label={reason}>
      <Button
        {...button}
        variant="default"
        className={styles.refused ?? ''}
        aria-disabled
        aria-description={reason}
        onClick={refusal ? undefined : hindrance?.onShow}
      >
        {children}
      </Button>
    </Tooltip>
  );
}
