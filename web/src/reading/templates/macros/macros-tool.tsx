import { t } from '@lingui/core/macro';
import { useMediaQuery } from '@mantine/hooks';
import { IconSlashes } from '@tabler/icons-react';
import type { Editor } from '@tiptap/react';
import { useState } from 'react';
import { Tool } from '#reading/editor/toolbar/tool-row.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { MacrosPanel } from './macros-panel.tsx';
import { useMacrosIn } from './use-macros.ts';

/** Gives the writer's macros to the editor, and opens a dialog to edit them. */
export function MacrosTool({ editor, studyId }: { editor: Editor; studyId: string }) {
  useMacrosIn(editor, studyId);
  const [opened, setOpened] = useState(false);
  const isNarrow = useMediaQuery('(max-width: 760px)');
  return (
    <>
      <Tool label={t`My macros`} icon={IconSlashes} onClick={() => setOpened(true)} />
      <Dialog
        opened={opened}
        onClose={() => setOpened(false)}
        title={t`My macros`}
        size={760}
        fullScreen={isNarrow}
        returnFocus={false}
        onExitTransitionEnd={() => editor.commands.focus()}
      >
        <MacrosPanel />
      </Dialog>
    </>
  );
}
