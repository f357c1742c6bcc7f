import { formatNumber } from '#ui/formats/formats.ts';
import { t } from '@lingui/core/macro';
import '@mantine/tiptap/styles.layer.css';
import { RichTextEditor } from '@mantine/tiptap';
import { reportTextLimit } from '@radwork/contract/reading/reports';
import { type Editor, useEditor, useEditorState } from '@tiptap/react';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { toast } from '#core/browser/toasts.ts';
import { markPlacedByEditor } from './extensions/caret-place.ts';
import { charactersIn, reportExtensions } from './extensions/editor-extensions.ts';
import { goToFieldWithin } from './extensions/template-fields.ts';
import desk from './desk.module.css';
import { EditorToolbar } from './toolbar/editor-toolbar.tsx';
import { useTextLock } from './text-lock.ts';
import { LinkDialog } from './toolbar/link-dialog.tsx';
import { PictureDialog } from './toolbar/picture-dialog.tsx';
import styles from './report-editor.module.css';
import { SelectionMenu } from './toolbar/selection-menu.tsx';
import sheet from './reading/sheet.module.css';
import { asWritten, type OnOpen, useTextChanges } from './use-text-changes.ts';

type Props = {
  /** Initial text. The editor ignores later values. */
  start: string;
  /**
   * Place where the cursor starts if the user has just opened the editor to write: the end, or the first unfilled field
   * if there is one. False if the focus stays where it is.
   */
  takesFocus?: 'end' | 'field' | false;
  /** Whether the text is locked. */
  isHeld?: boolean;
  /** Called with the text shortly after a change, and always before another action of the user. */
  onChange: (html: string) => void;
  /** Called at once on each change, without the text. Creating the text on each key would slow down typing. */
  onTouch?: () => void;
  /** Called with the text when the user has looked at filled parts and changed nothing. */
  onLook?: ((html: string) => void) | undefined;
  /** Called when the text opens, with functions to read it. */
  onOpen?: OnOpen;
  /** Renders tools next to the formatting buttons. */
  tools?: (editor: Editor) => ReactNode;
  /** Renders tools next to the selected text. */
  selectionTools?: ((editor: Editor) => ReactNode) | undefined;
  /** Renders notes beside the text. */
  aside?: ((editor: Editor) => ReactNode) | undefined;
};

const limit = formatNumber(reportTextLimit);

/** Labels of the toolbar controls provided by Mantine. */
const toolLabels = {
  h1ControlLabel: t`Heading 1`,
  h2ControlLabel: t`Heading 2`,
  h3ControlLabel: t`Heading 3`,
  boldControlLabel: t`Bold`,
  italicControlLabel: t`Italic`,
  underlineControlLabel: t`Underline`,
  strikeControlLabel: t`Strikethrough`,
  subscriptControlLabel: t`Subscript`,
  superscriptControlLabel: t`Superscript`,
  bulletListControlLabel: t`Bullet list`,
  orderedListControlLabel: t`Ordered list`,
  tasksControlLabel: t`Task list`,
  alignLeftControlLabel: t`Align text: left`,
  alignCenterControlLabel: t`Align text: center`,
  alignRightControlLabel: t`Align text: right`,
  alignJustifyControlLabel: t`Align text: justify`,
  undoControlLabel: t`Undo`,
  redoControlLabel: t`Redo`,
};

/** Number of characters from which the editor shows the count. */
const countedFrom = 9000;

const sayTooLong = () => toast.failure(t`Not added. A report can have at most ${limit} characters.`);

/** Editor of a report. It does not load or store the text. */
export function ReportEditor(props: Props) {
  const { start, takesFocus = false, isHeld = false, tools, selectionTools, aside, ...listener } = props;
  const extensions = useMemo(() => reportExtensions(sayTooLong), []);
  const [dialog, setDialog] = useState<'link' | 'picture'>();
  const events = useTextChanges(listener);
  const editor = useEditor({
    extensions,
    content: start,
    parseOptions: asWritten,
    injectCSS: false,
    editorProps: {
      attributes: {
        class: sheet.sheet ?? '',
        role: 'textbox',
        'aria-label': t`Report text`,
        'aria-multiline': 'true',
        'aria-description': t`Escape twice leaves the text. Alt F10 goes to the toolbar.`,
      },
    },
    ...events,
  });
  useFocusAtStart(editor, takesFocus);
  useTextLock(editor, isHeld);
  const onKeyDown = useKeysOutOfText();
  const close = () => setDialog(undefined);
  return (
    <RichTextEditor
      editor={editor}
      className={styles.editor}
      withTypographyStyles={false}
      withCodeHighlightStyles={false}
      variant="subtle"
      labels={toolLabels}
      role="group"
      aria-label={t`Report editor`}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <EditorToolbar
        editor={editor}
        tools={tools?.(editor)}
        onLink={() => setDialog('link')}
        onPicture={() => setDialog('picture')}
      />
      <div className={desk.desk}>
        <RichTextEditor.Content className={desk.paper} />
        {aside?.(editor)}
      </div>
      <SelectionMenu editor={editor} tools={selectionTools?.(editor)} onLink={() => setDialog('link')} />
      <CharacterCounter editor={editor} />
      <LinkDialog editor={editor} opened={dialog === 'link'} onClose={close} />
      <PictureDialog editor={editor} opened={dialog === 'picture'} onClose={close} />
    </RichTextEditor>
  );
}

/**
 * Moves the focus into the text once. Waits until the text is on the page: on a slow machine, the editor exists earlier,
 * and a focus before that is lost.
 */
const useFocusAtStart = (editor: Editor, takesFocus: Props['takesFocus']) => {
  const [place] = useState(takesFocus);
  useEffect(() => {
    const begin = () => {
      if (place) editor.commands.focus('end');
      if (place === 'field') goToFieldWithin(editor, { from: 0, to: editor.state.doc.content.size });
      markPlacedByEditor(editor);
    };
    if (editor.isInitialized) begin();
    else editor.on('create', begin);
    return () => void editor.off('create', begin);
  }, [editor, place]);
};

/** Longest time between two presses of Escape that belong together, in milliseconds. */
const longestPause = 1500;

/**
 * Returns the handler of the keys that leave the text. Alt F10 goes to the toolbar, as in other editors, and Escape
 * leads back. Escape twice goes to the frame of the editor, where the keys of the page and of the images work again. The first
 * Escape may have closed the choices of a field.
 */
const useKeysOutOfText = () => {
  const escapedAt = useRef(-Infinity);
  return (event: KeyboardEvent<HTMLElement>) => {
    const { key, altKey, currentTarget, target } = event;
    if (altKey && key === 'F10') {
      event.preventDefault();
      currentTarget.querySelector<HTMLElement>('[role="toolbar"] [tabindex="0"]')?.focus();
    }
    const isInText = target instanceof Element && target.closest('[role="textbox"]') !== null;
    const escapes = key === 'Escape' && isInText;
    const isSecond = escapes && event.timeStamp - escapedAt.current < longestPause;
    if (isSecond) currentTarget.focus({ preventScroll: true });
    escapedAt.current = escapes && !isSecond ? event.timeStamp : -Infinity;
  };
};

function CharacterCounter({ editor }: { editor: Editor }) {
  const count = useEditorState({ editor, selector: ({ editor: now }) => charactersIn(now.state.doc) });
  if (count < countedFrom) return null;
  return (
    <p className={styles.counter} role="status" data-tone={count >= reportTextLimit ? 'danger' : 'warning'}>
      {formatNumber(count)} / {limit}
    </p>
  );
}
