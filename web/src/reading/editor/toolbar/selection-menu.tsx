import { t } from '@lingui/core/macro';
import { RichTextEditor } from '@mantine/tiptap';
import { IconLink } from '@tabler/icons-react';
import { TextSelection } from '@tiptap/pm/state';
import { type Editor, useEditorState } from '@tiptap/react';
import { BubbleMenu } from '@tiptap/react/menus';
import { type ReactNode, useEffect } from 'react';
import { selectedField } from '#reading/editor/fields/field-ranges.ts';
import { HighlightTool } from './color-tools.tsx';
import styles from '#reading/editor/report-editor.module.css';
import { Tool, ToolRow } from './tool-row.tsx';

type Props = { editor: Editor; tools: ReactNode; onLink: () => void };

const menu = 'selectionMenu';

/** Hides the menu on Escape and keeps the selection. A new selection shows the menu again. */
const useEscape = (editor: Editor) => {
  useEffect(() => {
    const { dom } = editor.view;
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') editor.view.dispatch(editor.state.tr.setMeta(menu, 'hide'));
    };
    dom.addEventListener('keydown', onKeyDown);
    return () => dom.removeEventListener('keydown', onKeyDown);
  }, [editor]);
};

/** Frequent tools next to selected text. Selected cells and pictures have other tools in the toolbar. */
export function SelectionMenu({ editor, tools, onLink }: Props) {
  const isLink = useEditorState({ editor, selector: ({ editor: now }) => now.isActive('link') });
  useEscape(editor);
  return (
    <BubbleMenu
      editor={editor}
      pluginKey={menu}
      className={styles.bubble}
      shouldShow={({ state, editor: { isEditable } }) =>
        isEditable && state.selection instanceof TextSelection && !state.selection.empty && !selectedField(state)
      }
      options={{ placement: 'top', offset: 8, flip: true, shift: { padding: 8 } }}
    >
      <ToolRow editor={editor} label={t`Selected text`}>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.Bold />
          <RichTextEditor.Italic />
          <RichTextEditor.Underline />
          <HighlightTool editor={editor} />
          <RichTextEditor.Subscript />
          <RichTextEditor.Superscript />
          <Tool label={isLink ? t`Edit link` : t`Link`} icon={IconLink} isActive={isLink} onClick={onLink} />
        </RichTextEditor.ControlsGroup>
        {tools}
      </ToolRow>
    </BubbleMenu>
  );
}
