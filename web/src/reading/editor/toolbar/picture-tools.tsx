import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import { RichTextEditor } from '@mantine/tiptap';
import { IconPhotoMinus, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { type Editor, useEditorState } from '@tiptap/react';
import { resized } from '#reading/editor/extensions/editor-image.ts';
import styles from '#reading/editor/report-editor.module.css';
import { Tool, ToolRow } from './tool-row.tsx';

/** Longest alternative text that the server stores, in characters. */
export const longestAlternative = 500;

const step = 1.25;

/** Tools for the selected picture: description, size and deletion. The size also changes by dragging a corner. */
export function PictureTools({ editor }: { editor: Editor }) {
  const alternative = useEditorState({
    editor,
    selector: ({ editor: now }) => String(now.getAttributes('image')['alt'] ?? ''),
  });
  const resize = (factor: number) => {
    const size = sizeOf(editor);
    if (size) editor.chain().updateAttributes('image', resized(size, factor)).run();
  };
  return (
    <ToolRow editor={editor} label={t`Image`} name={t`Image`}>
      <TextInput
        className={styles.alternative ?? ''}
        size="xs"
        aria-label={t`Alternative text`}
        placeholder={t`Alternative text: what the image shows`}
        maxLength={longestAlternative}
        value={alternative}
        onChange={({ currentTarget }) => editor.commands.updateAttributes('image', { alt: currentTarget.value })}
      />
      <RichTextEditor.ControlsGroup>
        <Tool label={t`Smaller`} icon={IconZoomOut} onClick={() => resize(1 / step)} />
        <Tool label={t`Larger`} icon={IconZoomIn} onClick={() => resize(step)} />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <Tool
          label={t`Delete image`}
          icon={IconPhotoMinus}
          onClick={() => editor.chain().focus().deleteSelection().run()}
        />
      </RichTextEditor.ControlsGroup>
    </ToolRow>
  );
}

/** Returns the stored size of a picture, or its size on screen if none is stored. */
const sizeOf = (editor: Editor): { width: number; height: number } | undefined => {
  const { width, height } = editor.getAttributes('image');
  if (Number(width) > 0 && Number(height) > 0) return { width: Number(width), height: Number(height) };
  const nodeElement = editor.view.nodeDOM(editor.state.selection.from);
  const picture = nodeElement instanceof HTMLElement ? nodeElement.querySelector('img') : null;
  return picture?.naturalWidth ? { width: picture.naturalWidth, height: picture.naturalHeight } : undefined;
};
