import { t } from '@lingui/core/macro';
import { openPassagesFault } from '@radwork/contract/reading/drafting';
import { type Report, reports } from '@radwork/contract/reading/reports';
import { reportingSettings } from '@radwork/contract/reading/reporting-settings';
import { useQuery } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { query, useAction } from '#core/http/api.ts';
import { refreshes } from '#reading/reports/panel/report-actions.ts';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Notice } from '#ui/feedback/notice.tsx';

type Props = {
  report: Report;
  /** Version on the screen when the button was pressed. */
  seen: Report | undefined;
  /** Whether the screen still shows the version of `seen`. */
  isShown: () => boolean;
  opened: boolean;
  onClose: () => void;
  onIssued: (report: Report) => void;
  /** Warnings of other features about the text. */
  remarks: ReactNode;
};

/** Asks for confirmation, then freezes the text as a preliminary report. */
export function PreliminaryDialog({ opened, ...props }: Props) {
  return (
    <Dialog opened={opened} onClose={props.onClose} title={t`Issue preliminary report`} size={460}>
      <PreliminaryForm {...props} />
    </Dialog>
  );
}

function PreliminaryForm({ report, seen = report, isShown, onClose, onIssued, remarks }: Omit<Props, 'opened'>) {
  const settings = useQuery(query(reportingSettings.forWriting, {}));
  const issue = useAction(reports.issuePreliminary, {
    done: t`Preliminary report issued`,
    failed: t`Error issuing preliminary report`,
    refreshes,
  });
  const isUndecided = openPassagesFault(seen.content) !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isUndecided || !isShown()) return;
    issue.mutate(
      { params: { id: seen.id }, body: { revision: seen.revision } },
      {
        onSuccess: (answer) => {
          onIssued(answer);
          onClose();
        },
      },
    );
  };
  return (
    <DialogForm
      verb={t`Issue preliminary report`}
      action={issue}
      isBarred={isUndecided}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Notice tone="info">
        {t`This text is frozen and marked as preliminary. You can go on writing.`}{' '}
        {settings.data && readersOf(settings.data.showsPreliminary)}
      </Notice>
      {remarks}
    </DialogForm>
  );
}

const readersOf = (areShown: boolean): string =>
  areShown ? t`Referring physicians see it until the report is signed.` : t`Referring physicians do not see it.`;
