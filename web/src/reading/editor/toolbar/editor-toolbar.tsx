import { t } from '@lingui/core/macro';
import { RichTextEditor } from '@mantine/tiptap';
import { IconTypography } from '@tabler/icons-react';
import { type Editor, useEditorState } from '@tiptap/react';
import { type ReactNode, useState } from 'react';
import { usePreference } from '#core/state/preferences.ts';
import { PlaceBelowTools } from './below-toolbar.tsx';
import { FormatTools } from './format-tools.tsx';
import { PictureTools } from './picture-tools.tsx';
import styles from '#reading/editor/report-editor.module.css';
import { TableTools } from './table-tools.tsx';
import { ToolRow } from './tool-row.tsx';

type Props = { editor: Editor; tools: ReactNode; onLink: () => void; onPicture: () => void };

/**
 * Toolbar of the editor. The tools for writing lead; one button shows the formats. Tools for tables and pictures appear
 * when the cursor is in a table or picture.
 */
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
  const [formats, setFormats] = usePreference('editor.formats', ['closed', 'open']);
  const isOpen = formats === 'open';
  return (
    <div className={styles.toolbars}>
      <ToolRow editor={editor} label={t`Writing`}>
        <div className={styles.tools}>
          <PlaceBelowTools value={below}>{tools}</PlaceBelowTools>
        </div>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.Control
            aria-label={t`Format`}
            title={t`Format`}
            aria-expanded={isOpen}
            active={isOpen}
            onClick={() => setFormats(isOpen ? 'closed' : 'open')}
          >
            <IconTypography size={16} stroke={1.5} aria-hidden />
          </RichTextEditor.Control>
          <RichTextEditor.Undo />
          <RichTextEditor.Redo />
        </RichTextEditor.ControlsGroup>
      </ToolRow>
      {isOpen && <FormatTools editor={editor} isInLink={now.isInLink} onLink={onLink} onPicture={onPicture} />}
      {now.isInTable && <TableTools editor={editor} />}
      {now.isOnPicture && <PictureTools editor={editor} />}
      <div ref={setBelow} />
    </div>
  );
}
