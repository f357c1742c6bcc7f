import { t } from '@lingui/core/macro';
import { openPassagesFault } from '@radwork/contract/reading/drafting';
import type { Report } from '@radwork/contract/reading/reports';
import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { ApiError } from '#core/http/api.ts';
import { IdentityStatement, useIdentityStatement } from './identity-statement.tsx';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { ChangedSinceOpened, useReviewedVersion } from './changed-since-opened.tsx';
import {
  ChangeSincePreliminary,
  usePreliminaryChange,
} from '#reading/reports/preliminary/change-since-preliminary.tsx';
import { StudyMovedNotice } from '#reading/reports/writing/study-moved.tsx';
import { useFinalizeReport } from '#reading/reports/panel/report-actions.ts';
import { SigningFields } from './signing-fields.tsx';
import { useSigning } from './use-signing.ts';

type Props = {
  report: Report;
  /** Version on the screen when the button was pressed. Default: the current version. */
  seen?: Report | undefined;
  /** Whether the screen still shows the version of `seen`. */
  isShown?: () => boolean;
  opened: boolean;
  onClose: () => void;
  /** Called after signing, instead of `onClose`. */
  onDone?: () => void;
  /** Called after signing, even if the signed report has replaced this dialog by then. */
  afterSigning?: (() => void) | undefined;
  /** Warnings of other features about the text to sign. */
  remarks?: ReactNode;
};

/** Asks for confirmation and signature, then finalizes the report. */
export function FinalizeDialog({ opened, onClose, ...signed }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Finalize report`} size={460}>
      <FinalizeForm onClose={onClose} {...signed} />
    </Dialog>
  );
}

function FinalizeForm({
  report,
  seen: openedReport = report,
  isShown,
  onClose,
  onDone = onClose,
  afterSigning,
  remarks,
}: Omit<Props, 'opened'>) {
  const client = useQueryClient();
  const finalize = useFinalizeReport(afterSigning);
  // Signs the version on the screen when the dialog opened. A change by another user does not replace it.
  const { seen, isOutdated, adopt } = useReviewedVersion(report, openedReport, finalize);
  const signing = useSigning(seen.signatureRequired, String(report.revision), finalize.error);
  const stating = useIdentityStatement(report, finalize.error);
  const change = usePreliminaryChange(report);
  const isUndecided = openPassagesFault(seen.content) !== undefined;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [signed, stated, changed] = [signing.check(), stating.check(), change.check()];
    if (!signed || !stated || !changed || isOutdated || isUndecided || isShown?.() === false) return;
    const { id, content, revision } = seen;
    finalize.mutate(
      { params: { id }, body: { content, revision, ...signed, ...stated, ...changed } },
      {
        onSuccess: onDone,
        onError: (error) => {
          // Another user has changed the report meanwhile. Fetches the new state.
          if (error instanceof ApiError && error.status === 409) {
            void client.invalidateQueries({ queryKey: ['studies'] });
          }
        },
      },
    );
  };

  return (
    <DialogForm verb={t`Finalize report`} action={finalize} isBarred={isUndecided} onSubmit={submit} onCancel={onClose}>
      <Notice tone="warning">{t`Finalizing cannot be undone. Later changes are addenda.`}</Notice>
      <StudyMovedNotice report={report} />
      {remarks}
      {isOutdated && (
        <ChangedSinceOpened
          seen={seen}
          newer={report}
          consequence={t`Nothing was signed.`}
          verb={t`Sign newer text`}
          onAdopt={adopt}
        />
      )}
      {change.isAsked && <ChangeSincePreliminary report={report} content={seen.content} change={change} />}
      <IdentityStatement stating={stating} />
      <SigningFields signing={signing} />
    </DialogForm>
  );
}
