import { t } from '@lingui/core/macro';
import { RichTextEditor } from '@mantine/tiptap';
import { IconLink, IconPhotoPlus, IconTable } from '@tabler/icons-react';
import { type Editor, useEditorState } from '@tiptap/react';
import { type ReactNode, useState } from 'react';
import { PlaceBelowTools } from './below-toolbar.tsx';
import { HighlightTool, TextColorTool } from './color-tools.tsx';
import { PictureTools } from './picture-tools.tsx';
import styles from '#reading/editor/report-editor.module.css';
import { insertTable, TableTools } from './table-tools.tsx';
import { Tool, ToolRow } from './tool-row.tsx';

type Props = { editor: Editor; tools: ReactNode; onLink: () => void; onPicture: () => void };

/** Toolbar of the editor. Tools for tables and pictures appear when the cursor is in a table or picture. */
export function EditorToolbar({ editor, tools, onLink, onPicture }: Props) {
  const [below, setBelow] = useState<HTMLElement | null>(null);
  const now = useEditorState({
    editor,
    selector: ({ editor: current }) => ({
      isInTable: current.isActive('table'),
      isOnPicture: current.isActive('image'),
      isInLink: current.isActive('link'),
    }),
  });
  return (
    <div className={styles.toolbars}>
      <ToolRow editor={editor} label={t`Formatting`}>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.H1 />
          <RichTextEditor.H2 />
          <RichTextEditor.H3 />
        </RichTextEditor.ControlsGroup>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.Bold />
          <RichTextEditor.Italic />
          <RichTextEditor.Underline />
          <RichTextEditor.Strikethrough />
          <RichTextEditor.Subscript />
          <RichTextEditor.Superscript />
        </RichTextEditor.ControlsGroup>
        <RichTextEditor.ControlsGroup>
          <TextColorTool editor={editor} />
          <HighlightTool editor={editor} />
        </RichTextEditor.ControlsGroup>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.BulletList />
          <RichTextEditor.OrderedList />
          <RichTextEditor.TaskList />
        </RichTextEditor.ControlsGroup>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.AlignLeft />
          <RichTextEditor.AlignCenter />
          <RichTextEditor.AlignRight />
          <RichTextEditor.AlignJustify />
        </RichTextEditor.ControlsGroup>
        <RichTextEditor.ControlsGroup>
          <Tool
            label={now.isInLink ? t`Edit link` : t`Insert link`}
            icon={IconLink}
            isActive={now.isInLink}
            onClick={onLink}
          />
          <Tool label={t`Insert image`} icon={IconPhotoPlus} onClick={onPicture} />
          <Tool label={t`Insert table`} icon={IconTable} onClick={() => insertTable(editor)} />
        </RichTextEditor.ControlsGroup>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.Undo />
          <RichTextEditor.Redo />
        </RichTextEditor.ControlsGroup>
        <div className={styles.tools}>
          <PlaceBelowTools value={below}>{tools}</PlaceBelowTools>
        </div>
      </ToolRow>
      {now.isInTable && <TableTools editor={editor} />}
      {now.isOnPicture && <PictureTools editor={editor} />}
      <div ref={setBelow} />
    </div>
  );
}
