import { t } from '@lingui/core/macro';
import { RichTextEditor } from '@mantine/tiptap';
import {
  IconAlignCenter,
  IconAlignLeft,
  IconAlignRight,
  IconArrowMerge,
  IconArrowsSplit,
  IconColumnInsertLeft,
  IconColumnInsertRight,
  IconColumnRemove,
  IconRowInsertBottom,
  IconRowInsertTop,
  IconRowRemove,
  IconTableAlias,
  IconTableColumn,
  IconTableMinus,
  IconTableRow,
} from '@tabler/icons-react';
import { type Editor, useEditorState } from '@tiptap/react';
import { cellAttribute, CellColorTool } from './color-tools.tsx';
import { Tool, ToolRow } from './tool-row.tsx';

export const insertTable = (editor: Editor) =>
  editor.chain().focus().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run();

const alignments = [
  { align: 'left', label: t`Align cell left`, icon: IconAlignLeft },
  { align: 'center', label: t`Align cell center`, icon: IconAlignCenter },
  { align: 'right', label: t`Align cell right`, icon: IconAlignRight },
] as const;

/** Tools for the table at the cursor. */
export function TableTools({ editor }: { editor: Editor }) {
  const now = useEditorState({
    editor,
    selector: ({ editor: current }) => ({
      align: cellAttribute(current, 'align'),
      canMerge: current.can().mergeCells(),
      canSplit: current.can().splitCell(),
    }),
  });
  const table = () => editor.chain().focus();
  return (
    <ToolRow editor={editor} label={t`Table`} name={t`Table`}>
      <RichTextEditor.ControlsGroup>
        <Tool label={t`Add row above`} icon={IconRowInsertTop} onClick={() => table().addRowBefore().run()} />
        <Tool label={t`Add row below`} icon={IconRowInsertBottom} onClick={() => table().addRowAfter().run()} />
        <Tool label={t`Delete row`} icon={IconRowRemove} onClick={() => table().deleteRow().run()} />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <Tool label={t`Add column left`} icon={IconColumnInsertLeft} onClick={() => table().addColumnBefore().run()} />
        <Tool label={t`Add column right`} icon={IconColumnInsertRight} onClick={() => table().addColumnAfter().run()} />
        <Tool label={t`Delete column`} icon={IconColumnRemove} onClick={() => table().deleteColumn().run()} />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <Tool
          label={t`Merge cells`}
          icon={IconArrowMerge}
          isDisabled={!now.canMerge}
          onClick={() => table().mergeCells().run()}
        />
        <Tool
          label={t`Split cell`}
          icon={IconArrowsSplit}
          isDisabled={!now.canSplit}
          onClick={() => table().splitCell().run()}
        />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <Tool label={t`Header row`} icon={IconTableRow} onClick={() => table().toggleHeaderRow().run()} />
        <Tool label={t`Header column`} icon={IconTableColumn} onClick={() => table().toggleHeaderColumn().run()} />
        <Tool label={t`Header cell`} icon={IconTableAlias} onClick={() => table().toggleHeaderCell().run()} />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <CellColorTool editor={editor} />
        {alignments.map(({ align, label, icon }) => (
          <Tool
            key={align}
            label={label}
            icon={icon}
            isActive={now.align === align}
            onClick={() =>
              table()
                .setCellAttribute('align', now.align === align ? null : align)
                .run()
            }
          />
        ))}
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <Tool label={t`Delete table`} icon={IconTableMinus} onClick={() => table().deleteTable().run()} />
      </RichTextEditor.ControlsGroup>
    </ToolRow>
  );
}
