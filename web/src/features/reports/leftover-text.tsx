import { Button, CopyButton, Modal } from '@mantine/core';
import type { KeptText } from '@radwork/contract/report-autosaves';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { forgetUnsaved } from '#core/unsaved.ts';
import { confirm } from '#ui/confirm.tsx';
import { formatMoment } from '#ui/formats.ts';
import { Notice } from '#ui/notice.tsx';
import { giveUpText } from './kept-texts.ts';
import { keptUnder, otherNames } from './report-draft.ts';
import styles from './report-panel.module.css';
import { ReportText } from '#editor/report-text.tsx';

/**
 * A text that its writer could not save, where it cannot be now: somebody else writes or has begun the report, or it
 * has been finalized meanwhile. It is shown for as long as the writer wants, and is back in the editor when that opens.
 */
export function LeftoverText({ name }: { name: string }) {
  const [kept, setKept] = useState(() => keptUnder(name));
  if (!kept) return null;
  const discard = () => {
    forgetUnsaved(name);
    setKept(undefined);
  };
  return <Leftover at={kept.at} content={kept.content} where="This browser keeps it." onDiscard={discard} />;
}

/** The same for texts that gave way to those of other windows, each under a name of its own. `except` is being written. */
export function LeftoverOthers({ name, except = null }: { name: string; except?: string | null }) {
  return otherNames(name)
    .filter((other) => other !== except)
    .map((other) => <LeftoverText key={other} name={other} />);
}

/** The same for texts that the server keeps for their writer. */
export function LeftoverKept({ studyId, texts }: { studyId: string; texts: readonly KeptText[] }) {
  const client = useQueryClient();
  return texts.map(({ id, savedAt, content }) => (
    <Leftover
      key={id}
      at={savedAt}
      content={content}
      where="It is kept for you."
      onDiscard={() => void giveUpText(client, studyId, id)}
    />
  ));
}

type Props = { at: string; content: string; where: string; onDiscard: () => void };

function Leftover({ at, content, where, onDiscard }: Props) {
  const [isShown, setIsShown] = useState(false);
  const discard = async () => {
    const agreed = await confirm({
      question: 'Discard your unsaved text?',
      consequence: 'It was never saved. Nobody can bring it back.',
      verb: 'Discard text',
    });
    if (agreed) onDiscard();
  };
  return (
    <Notice tone="warning">
      Your text of {formatMoment(at)} was never saved, and it cannot be saved here now. {where}
      <div className={styles.choices}>
        <Button variant="default" size="compact-xs" onClick={() => setIsShown(true)}>
          Show my text
        </Button>
        <Button variant="default" size="compact-xs" onClick={() => void discard()}>
          Discard
        </Button>
      </div>
      <Modal opened={isShown} onClose={() => setIsShown(false)} title="Your unsaved text" size={640}>
        <ReportText html={content} />
        <CopyButton value={textOf(content)}>
          {({ copied, copy }) => <Button onClick={copy}>{copied ? 'Copied' : 'Copy text'}</Button>}
        </CopyButton>
      </Modal>
    </Notice>
  );
}

/** The words alone, a line for each block. */
const textOf = (html: string): string => {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return [...body.children].map((block) => block.textContent).join('\n');
};
