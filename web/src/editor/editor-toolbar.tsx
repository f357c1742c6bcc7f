import { RichTextEditor } from '@mantine/tiptap';
import {
  IconColumnInsertRight,
  IconColumnRemove,
  type IconProps,
  IconRowInsertBottom,
  IconRowRemove,
  IconTable,
  IconTableColumn,
  IconTableMinus,
  IconTableRow,
} from '@tabler/icons-react';
import { type Editor, useEditorState } from '@tiptap/react';
import type { ComponentType, ReactNode } from 'react';
import styles from './report-editor.module.css';

/** The buttons of the editor; those for tables appear where the cursor is in one. */
export function EditorToolbar({ editor, tools }: { editor: Editor; tools: ReactNode }) {
  const isInTable = useEditorState({ editor, selector: ({ editor: now }) => now.isActive('table') });
  return (
    <div className={styles.toolbars}>
      <RichTextEditor.Toolbar className={styles.toolbar} role="toolbar" aria-label="Formatting">
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
          <Control label="Insert table" icon={IconTable} onClick={() => insertTable(editor)} />
        </RichTextEditor.ControlsGroup>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.Undo />
          <RichTextEditor.Redo />
        </RichTextEditor.ControlsGroup>
        {tools}
      </RichTextEditor.Toolbar>
      {isInTable && <TableToolbar editor={editor} />}
    </div>
  );
}

const insertTable = (editor: Editor) =>
  editor.chain().focus().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run();

function TableToolbar({ editor }: { editor: Editor }) {
  const table = () => editor.chain().focus();
  return (
    <RichTextEditor.Toolbar className={styles.toolbar} role="toolbar" aria-label="Table">
      <span className={styles.toolbarName}>Table</span>
      <RichTextEditor.ControlsGroup>
        <Control label="Add row below" icon={IconRowInsertBottom} onClick={() => table().addRowAfter().run()} />
        <Control label="Delete row" icon={IconRowRemove} onClick={() => table().deleteRow().run()} />
        <Control
          label="Add column to the right"
          icon={IconColumnInsertRight}
          onClick={() => table().addColumnAfter().run()}
        />
        <Control label="Delete column" icon={IconColumnRemove} onClick={() => table().deleteColumn().run()} />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <Control label="Header row" icon={IconTableRow} onClick={() => table().toggleHeaderRow().run()} />
        <Control label="Header column" icon={IconTableColumn} onClick={() => table().toggleHeaderColumn().run()} />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <Control label="Delete table" icon={IconTableMinus} onClick={() => table().deleteTable().run()} />
      </RichTextEditor.ControlsGroup>
    </RichTextEditor.Toolbar>
  );
}

function Control(props: { label: string; icon: ComponentType<IconProps>; onClick: () => void }) {
  const { label, icon: Icon, onClick } = props;
  return (
    <RichTextEditor.Control aria-label={label} title={label} onClick={onClick}>
      <Icon size={16} stroke={1.5} aria-hidden />
    </RichTextEditor.Control>
  );
}
