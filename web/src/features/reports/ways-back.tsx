import { Button } from '@mantine/core';
import { confirm } from '#ui/confirm.tsx';

type Props = {
  /** Whether anything is written that is not saved. */
  isUnsaved: boolean;
  /** Goes back; what is written is kept. */
  onBack: () => void;
  onDiscard: () => void;
};

/** Out of a report that was begun beside a signed one. */
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
