import { Button } from '@mantine/core';
import { confirm } from '#ui/confirm.tsx';

type Props = {
  /** Whether there is unsaved text. */
  isUnsaved: boolean;
  /** Returns to the signed report; the text remains stored. */
  onBack: () => void;
  onDiscard: () => void;
};

/** Buttons to leave a new report that was begun after a signed one. */
export function WaysBack({ isUnsaved, onBack, onDiscard }: Props) {
  const discard = async () => {
    const agreed = await confirm({
      question: 'Discard your new report?',
      consequence: 'Its text was never saved. Nobody can bring it back. The signed report stays as it is.',
      verb: 'Discard new report',
    });
    if (agreed) onDiscard();
  };
  return (
    <>
      {isUnsaved && (
        <Button variant="subtle" onClick={() => void discard()}>
          Discard
        </Button>
      )}
      <Button variant="default" onClick={onBack}>
        Back to signed report
      </Button>
    </>
  );
}
