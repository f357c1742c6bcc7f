import '@mantine/tiptap/styles.layer.css';
import { RichTextEditor } from '@mantine/tiptap';
import { reportTextLimit } from '@radwork/contract/reports';
import { type Editor, useEditor, useEditorState } from '@tiptap/react';
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react';
import { toast } from '#core/toasts.ts';
import { charactersIn, reportExtensions } from './editor-extensions.ts';
import desk from './desk.module.css';
import { EditorToolbar } from './editor-toolbar.tsx';
import { useHold } from './held-text.ts';
import { LinkDialog } from './link-dialog.tsx';
import { PictureDialog } from './picture-dialog.tsx';
import styles from './report-editor.module.css';
import { SelectionMenu } from './selection-menu.tsx';
import sheet from './sheet.module.css';
import { asWritten, type OnOpen, useTextTold } from './use-text-told.ts';

type Props = {
  /** The text to begin with; later changes of it are not followed. */
  start: string;
  /** Whether somebody has just opened it to write: the cursor then stands at the end of the text. */
  takesFocus?: boolean;
  /** Whether nobody may write in it for now. */
  isHeld?: boolean;
  /** Told the text a moment after it was changed, when there is time, and always before anything else is done. */
  onChange: (html: string) => void;
  /** Told at once that the text is another one now; says nothing about it, for that would cost time at every key. */
  onTouch?: () => void;
  /** Given, once the editor is there, what can be asked of it. */
  onOpen?: OnOpen;
  /** What stands beside the formatting buttons. */
  tools?: (editor: Editor) => ReactNode;
  /** What stands beside the words that are selected. */
  selectionTools?: ((editor: Editor) => ReactNode) | undefined;
};

const limit = reportTextLimit.toLocaleString('en-US');

/** From how many characters on it matters how many there are. */
const countedFrom = 9000;

const sayTooLong = () => toast.failure(`A report has at most ${limit} characters: this was not added`);

/** The editor of a report: what is written in it, and nothing about where it goes. */
export function ReportEditor({ start, takesFocus = false, isHeld = false, tools, selectionTools, ...told }: Props) {
  const extensions = useMemo(() => reportExtensions(sayTooLong), []);
  const [dialog, setDialog] = useState<'link' | 'picture'>();
  const events = useTextTold(told);
  const editor = useEditor({
    extensions,
    content: start,
    parseOptions: asWritten,
    injectCSS: false,
    editorProps: {
      attributes: {
        class: sheet.sheet ?? '',
        role: 'textbox',
        'aria-label': 'Report text',
        'aria-multiline': 'true',
      },
    },
    ...events,
    onCreate: (created) => {
      events.onCreate(created);
      if (takesFocus) created.editor.commands.focus('end');
    },
  });
  useHold(editor, isHeld);
  const close = () => setDialog(undefined);
  return (
    <RichTextEditor
      editor={editor}
      className={styles.editor}
      withTypographyStyles={false}
      withCodeHighlightStyles={false}
      variant="subtle"
      onKeyDown={toToolbar}
    >
      <EditorToolbar
        editor={editor}
        tools={tools?.(editor)}
        onLink={() => setDialog('link')}
        onPicture={() => setDialog('picture')}
      />
      <div className={desk.desk}>
        <RichTextEditor.Content className={desk.paper} />
      </div>
      <SelectionMenu editor={editor} tools={selectionTools?.(editor)} onLink={() => setDialog('link')} />
      <CharacterCounter editor={editor} />
      <LinkDialog editor={editor} opened={dialog === 'link'} onClose={close} />
      <PictureDialog editor={editor} opened={dialog === 'picture'} onClose={close} />
    </RichTextEditor>
  );
}

/** Alt F10 leads from the text to its buttons, as in other editors; Escape leads back. */
const toToolbar = (event: KeyboardEvent<HTMLElement>) => {
  if (!event.altKey || event.key !== 'F10') return;
  event.preventDefault();
  event.currentTarget.querySelector<HTMLElement>('[role="toolbar"] [tabindex="0"]')?.focus();
};

function CharacterCounter({ editor }: { editor: Editor }) {
  const count = useEditorState({ editor, selector: ({ editor: now }) => charactersIn(now.state.doc) });
  if (count < countedFrom) return null;
  return (
    <p className={styles.counter} role="status" data-tone={count >= reportTextLimit ? 'danger' : 'warning'}>
      {count.toLocaleString('en-US')} / {limit}
    </p>
  );
}
