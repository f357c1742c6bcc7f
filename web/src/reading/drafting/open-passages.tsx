import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { PassageDecision } from '@radwork/contract/reading/drafting';
import { type Editor, useEditorState } from '@tiptap/react';
import { passageAt, passagesIn } from '#reading/editor/drafting/draft-passage.ts';
import styles from './drafting.module.css';

type Props = { editor: Editor; onDecide: (id: string, decision: PassageDecision) => void };

/** Shows the number of undecided passages and buttons to decide on the passage at the cursor. */
export function OpenPassages({ editor, onDecide }: Props) {
  const open = useEditorState({
    editor,
    selector: ({ editor: now }) => {
      const ids = passagesIn(now.state.doc).map(({ id }) => id);
      const id = passageAt(now)?.id;
      return id === undefined ? null : { id, number: ids.indexOf(id) + 1, count: ids.length };
    },
  });
  if (!open) return null;
  const { id, number, count } = open;
  return (
    <div className={styles.open} role="group" aria-label={t`Open AI passages`}>
      <span className={styles.count}>{count === 1 ? t`1 AI passage open` : t`AI passage ${number} of ${count}`}</span>
      <Button size="compact-sm" variant="default" title="Ctrl+Alt+Enter" onClick={() => onDecide(id, 'ACCEPTED')}>
        {t`Accept`}
      </Button>
      <Button size="compact-sm" variant="default" title="Ctrl+Alt+Backspace" onClick={() => onDecide(id, 'REJECTED')}>
        {t`Reject`}
      </Button>
    </div>
  );
}
