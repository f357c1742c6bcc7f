import '@mantine/tiptap/styles.layer.css';
import { RichTextEditor } from '@mantine/tiptap';
import { reportTextLimit } from '@radwork/contract/reports';
import { type Editor, useEditor, useEditorState } from '@tiptap/react';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { toast } from '#core/toasts.ts';
import { charactersIn, reportExtensions } from './editor-extensions.ts';
import { EditorToolbar } from './editor-toolbar.tsx';
import styles from './report-editor.module.css';
import sheet from './sheet.module.css';

type Props = {
  /** The text to begin with; later changes of it are not followed. */
  start: string;
  onChange: (html: string) => void;
  /** What stands beside the formatting buttons. */
  tools?: (editor: Editor) => ReactNode;
};

const limit = reportTextLimit.toLocaleString('en-US');

/** From how many characters on it matters how many there are. */
const countedFrom = 9000;

const sayTooLong = () => toast.failure(`A report has at most ${limit} characters: this was not added`);

/**
 * Lets the engine make the changes that it makes to any text it opens (a free line behind a table at the end), so that
 * they are not taken for the writer's.
 */
const settle = (editor: Editor) => editor.view.dispatch(editor.state.tr.setMeta('addToHistory', false));

/** The editor of a report: what is written in it, and nothing about where it goes. */
export function ReportEditor({ start, onChange, tools }: Props) {
  const extensions = useMemo(() => reportExtensions(sayTooLong), []);
  const settled = useRef<string>(undefined);
  const listener = useRef(onChange);
  useEffect(() => {
    listener.current = onChange;
  });
  const editor = useEditor({
    extensions,
    content: start,
    injectCSS: false,
    editorProps: {
      attributes: {
        class: sheet.sheet ?? '',
        role: 'textbox',
        'aria-label': 'Report text',
        'aria-multiline': 'true',
      },
    },
    onCreate: ({ editor: created }) => {
      settle(created);
      settled.current = created.getHTML();
    },
    onUpdate: ({ editor: changed }) => {
      const html = changed.getHTML();
      if (settled.current === undefined || html === settled.current) return;
      settled.current = html;
      listener.current(html);
    },
  });
  return (
    <RichTextEditor
      editor={editor}
      className={styles.editor}
      withTypographyStyles={false}
      withCodeHighlightStyles={false}
      variant="subtle"
    >
      <EditorToolbar editor={editor} tools={tools?.(editor)} />
      <div className={styles.desk}>
        <RichTextEditor.Content className={styles.paper} />
      </div>
      <CharacterCounter editor={editor} />
    </RichTextEditor>
  );
}

function CharacterCounter({ editor }: { editor: Editor }) {
  const count = useEditorState({ editor, selector: ({ editor: now }) => charactersIn(now.state.doc) });
  if (count < countedFrom) return null;
  return (
    <p className={styles.counter} role="status" data-tone={count >= reportTextLimit ? 'danger' : 'warning'}>
      {count.toLocaleString('en-US')} / {limit}
    </p>
  );
}
