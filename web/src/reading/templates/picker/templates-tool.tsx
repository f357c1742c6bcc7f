import { t } from '@lingui/core/macro';
import { IconTemplate } from '@tabler/icons-react';
import type { Editor } from '@tiptap/react';
import { useState } from 'react';
import { stepToField } from '#reading/editor/extensions/template-fields.ts';
import { Tool } from '#reading/editor/toolbar/tool-row.tsx';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { useKeyWhileWriting } from '#ui/keyboard/use-key-while-writing.ts';
import { MacrosTool } from '#reading/templates/macros/macros-tool.tsx';
import { TemplatePicker } from './template-picker.tsx';

type Props = { editor: Editor; studyId: string };

/** Toolbar buttons for the template picker, with its shortcut, and for the writer's macros. */
export function TemplatesTool({ editor, studyId }: Props) {
  const [opened, setOpened] = useState(false);
  const open = () => setOpened(true);
  useKeyWhileWriting('F8', open);
  useShortcuts(t`Templates`, [
    { keys: 'F8', does: t`Select template`, hint: t`templates`, run: open },
    {
      keys: 'F2',
      does: t`Next field`,
      hint: t`fields`,
      run: () => {
        editor.commands.focus();
        stepToField(editor, 1);
      },
    },
  ]);
  return (
    <>
      <Tool label={t`Templates (F8)`} icon={IconTemplate} onClick={open} />
      <MacrosTool editor={editor} studyId={studyId} />
      <TemplatePicker opened={opened} editor={editor} studyId={studyId} onClose={() => setOpened(false)} />
    </>
  );
}
