import { Button, Modal } from '@mantine/core';
import { openPassagesFault } from '@radwork/contract/drafting';
import type { Report } from '@radwork/contract/reports';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError } from '#core/api.ts';
import { TextDifference } from '#editor/text-difference.tsx';
import { DialogForm } from '#ui/dialog-form.tsx';
import { Notice } from '#ui/notice.tsx';
import styles from './dialogs.module.css';
import { Refiled } from './refiled.tsx';
import { useFinalizeReport } from './report-actions.ts';
import { SigningFields, useSigning } from './signing-fields.tsx';
import { whatHappened } from './what-happened.ts';

type Props = {
  report: Report;
  opened: boolean;
  onClose: () => void;
  /** What others know about the text that is to be signed. */
  remarks?: ReactNode;
};

/** The last step: confirmation and signature. */
export function FinalizeDialog({ opened, onClose, ...signed }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="Finalize report" size={460}>
      <FinalizeForm onClose={onClose} {...signed} />
    </Modal>
  );
}

function FinalizeForm({ report, onClose, remarks }: Omit<Props, 'opened'>) {
  const client = useQueryClient();
  const finalize = useFinalizeReport();
  // What is signed is what stood on the screen when the dialog was opened, whoever changes it meanwhile.
  const [seen, setSeen] = useState(report);
  const signing = useSigning(seen.signatureRequired, String(report.revision), finalize.error);
  const isOutdated = report.revision !== seen.revision;
  const isUndecided = openPassagesFault(seen.content) !== undefined;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const signed = signing.check();
    if (!signed || isOutdated || isUndecided) return;
    const { id, content, revision } = seen;
    finalize.mutate(
      { params: { id }, body: { content, revision, ...signed } },
      {
        onSuccess: onClose,
        onError: (error) => {
          // Somebody was faster: what they did belongs on the screen.
          if (error instanceof ApiError && error.status === 409) {
            void client.invalidateQueries({ queryKey: ['studies'] });
          }
        },
      },
    );
  };

  return (
    <DialogForm verb="Finalize report" action={finalize} isBarred={isUndecided} onSubmit={submit} onCancel={onClose}>
      <Notice tone="warning">
        Finalizing cannot be undone. The text can never be changed afterwards, only added to or corrected beneath it.
      </Notice>
      <Refiled report={report} />
      {remarks}
      {isOutdated && <Outdated seen={seen} newer={report} onAdopt={() => setSeen(report)} />}
      <SigningFields signing={signing} />
    </DialogForm>
  );
}

type OutdatedProps = { seen: Report; newer: Report; onAdopt: () => void };

/** The report is no longer the one that was about to be signed. */
function Outdated({ seen, newer, onAdopt }: OutdatedProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Notice tone="danger">
      {whatHappened(newer)} Nothing was signed.
      <div className={styles.phrases}>
        <Button variant="default" size="compact-xs" onClick={() => setIsShown(true)}>
          Show the difference
        </Button>
        <Button variant="default" size="compact-xs" onClick={onAdopt}>
          Sign the newer text
        </Button>
      </div>
      <Modal opened={isShown} onClose={() => setIsShown(false)} title="What has changed" size={640}>
        <TextDifference before={seen.content} after={newer.content} />
      </Modal>
    </Notice>
  );
}
