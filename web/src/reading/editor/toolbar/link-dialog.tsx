import { t } from '@lingui/core/macro';
import { Button, TextInput } from '@mantine/core';
import { mayBeLinked } from '@radwork/contract/reading/report-link-address';
import type { Editor } from '@tiptap/react';
import { type FormEvent, useState } from 'react';
import { CancelButton } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import styles from '#reading/editor/report-editor.module.css';

type Props = { editor: Editor; opened: boolean; onClose: () => void };

const invalidAddress = t`Enter an address that starts with https:// or mailto:`;

/** Completes a typed address. Returns undefined if links to it are not allowed. */
const linkAddress = (input: string): string | undefined => {
  const text = input.trim();
  if (text === '' || /[\s\\]/.test(text)) return undefined;
  // Adds "https://", because users omit it. Other schemes, such as "mailto:", must be typed in full.
  const address = /^[a-z][a-z\d+.-]*:(?!\d+(\/|$))/i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) return undefined;
  const { href, username, password } = new URL(address);
  return mayBeLinked(href) && !username && !password ? href : undefined;
};

/** Dialog to add a link, or to change or remove the link at the cursor. */
export function LinkDialog({ editor, opened, onClose }: Props) {
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={editor.isActive('link') ? t`Edit link` : t`Insert link`}
      size={460}
      returnFocus={false}
      onExitTransitionEnd={() => editor.commands.focus()}
    >
      <LinkForm editor={editor} onClose={onClose} />
    </Dialog>
  );
}

function LinkForm({ editor, onClose }: Omit<Props, 'opened'>) {
  const [known] = useState(() => String(editor.getAttributes('link')['href'] ?? ''));
  const [url, setUrl] = useState(known);
  const [fault, setFault] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Keeps the event from the form around the editor.
    event.stopPropagation();
    const href = linkAddress(url);
    if (!href) return setFault(invalidAddress);
    setLink(editor, href);
    onClose();
  };
  const remove = () => {
    editor.chain().extendMarkRange('link').unsetLink().run();
    onClose();
  };
  return (
    <form className={styles.dialog} onSubmit={submit} noValidate>
      <TextInput
        label="URL"
        placeholder="https://"
        inputMode="url"
        autoComplete="off"
        maxLength={2048}
        data-autofocus
        value={url}
        error={fault}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <div className={styles.dialogButtons}>
        {known && (
          <Button variant="default" className={styles.dialogAside ?? ''} onClick={remove}>
            {t`Remove link`}
          </Button>
        )}
        <CancelButton onCancel={onClose} />
        <Button type="submit">{known ? t`Save link` : t`Insert link`}</Button>
      </div>
    </form>
  );
}

/**
 * Links the selection, or changes the link at the cursor. Without a selection and a link, inserts the address as a
 * link.
 */
const setLink = (editor: Editor, href: string) => {
  if (editor.state.selection.empty && !editor.isActive('link')) {
    const link = { type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] };
    editor.chain().insertContent(link).run();
    return;
  }
  editor.chain().extendMarkRange('link').setLink({ href }).run();
};
