import { t } from '@lingui/core/macro';
import { RichTextEditor } from '@mantine/tiptap';
import { IconLink, IconPhotoPlus, IconTable } from '@tabler/icons-react';
import type { Editor } from '@tiptap/react';
import { HighlightTool, TextColorTool } from './color-tools.tsx';
import { insertTable } from './table-tools.tsx';
import { Tool, ToolRow } from './tool-row.tsx';

type Props = { editor: Editor; isInLink: boolean; onLink: () => void; onPicture: () => void };

/** Formats of text, and insertion of links, pictures and tables. */
export function FormatTools({ editor, isInLink, onLink, onPicture }: Props) {
  return (
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
        <Tool label={isInLink ? t`Edit link` : t`Insert link`} icon={IconLink} isActive={isInLink} onClick={onLink} />
        <Tool label={t`Insert image`} icon={IconPhotoPlus} onClick={onPicture} />
        <Tool label={t`Insert table`} icon={IconTable} onClick={() => insertTable(editor)} />
      </RichTextEditor.ControlsGroup>
    </ToolRow>
  );
}
