import { t } from '@lingui/core/macro';
import { IconStars } from '@tabler/icons-react';
import type { Editor } from '@tiptap/react';
import { useState } from 'react';
import { Tool } from '#reading/editor/toolbar/tool-row.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { KeyImagesChoice } from './key-images-choice.tsx';

type Props = { editor: Editor; studyId: string };

/** Inserts the current key images of the study into its report. */
export function KeyImagesTool({ editor, studyId }: Props) {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      <Tool label={t`Insert key images`} icon={IconStars} onClick={() => setOpened(true)} />
      <Dialog
        opened={opened}
        onClose={close}
        title={t`Insert key images`}
        size={640}
        returnFocus={false}
        onExitTransitionEnd={() => editor.commands.focus()}
      >
        <KeyImagesChoice editor={editor} studyId={studyId} onClose={close} />
      </Dialog>
    </>
  );
}
