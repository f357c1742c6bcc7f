import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { confirm } from '#ui/dialogs/confirm.tsx';

type Props = {
  /** Whether the new report has unsaved text. */
  isUnsaved: boolean;
  /** Returns to the signed report. The unsaved text stays stored. */
  onBack: () => void;
  onDiscard: () => void;
};

/** Buttons to leave a new report and return to the signed report. */
export function LeaveNewReport({ isUnsaved, onBack, onDiscard }: Props) {
  const discard = async () => {
    const agreed = await confirm({
      question: t`Discard your new report?`,
      consequence: t`The text of the new report was never saved. This cannot be undone. The signed report does not change.`,
      verb: t`Discard new report`,
    });
    if (agreed) onDiscard();
  };
  return (
    <>
      {isUnsaved && (
        <Button variant="subtle" onClick={() => void discard()}>
          {t`Discard`}
        </Button>
      )}
      <Button variant="default" onClick={onBack}>
        {t`Back to signed report`}
      </Button>
    </>
  );
}
