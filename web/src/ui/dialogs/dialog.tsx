import { t } from '@lingui/core/macro';
import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core';
import { type FocusEvent, type ReactNode, useEffect, useState } from 'react';
import { confirm } from './confirm.tsx';
import { DialogContext, type Warning } from './dialog-context.ts';
import { useRestoreFocus } from './use-restore-focus.ts';

type ClosingProps = 'closeOnEscape' | 'onFocusCapture';

/**
 * Dialog over the page. Escape closes only the front dialog. If typed text would be lost, Escape, the close button and
 * a click outside first ask the user. After closing, the focus returns to the element that had it before.
 */
export function Dialog({ children, ...props }: Omit<ModalProps, ClosingProps>) {
  const { close, around, onFocusCapture } = useClosing(props);
  return (
    <Modal {...props} onClose={close} closeOnEscape={false} onFocusCapture={onFocusCapture}>
      {around(children)}
    </Modal>
  );
}

/** Dialog at the side of the page. */
export function SideDialog({ children, ...props }: Omit<DrawerProps, ClosingProps>) {
  const { close, around, onFocusCapture } = useClosing(props);
  return (
    <Drawer {...props} onClose={close} closeOnEscape={false} onFocusCapture={onFocusCapture}>
      {around(children)}
    </Drawer>
  );
}

/** Open dialogs, the front one last. */
const opened: { close: () => void }[] = [];

const closeFront = (event: KeyboardEvent) => {
  if (event.key !== 'Escape' || event.isComposing) return;
  // Lets an open list or menu in the dialog handle Escape. Mantine marks elements that handle Escape themselves.
  if (event.target instanceof Element && event.target.getAttribute('data-mantine-stop-propagation') === 'true') return;
  // Prevents the same key from also leaving the page. With reduced motion, the dialog is already removed when the page
  // receives the key.
  event.preventDefault();
  opened.at(-1)?.close();
};

/** Handles closing. If typed text would be lost, asks the user first. */
const leaving = () => {
  const warnings: Warning[] = [];
  const texts = new Map<TextField, string>();
  let onClose = () => {};
  let isLeft = false;
  const leave = async (then: () => void) => {
    const warning = warnings.at(-1) ?? (hasChanged(texts) ? textIsLost : undefined);
    if (warning && !(await confirm(warning))) return;
    isLeft = true;
    then();
  };
  return {
    leave: (then = onClose) => void leave(then),
    warn: (warning: Warning) => {
      isLeft = false;
      warnings.push(warning);
      return () => void warnings.splice(warnings.indexOf(warning), 1);
    },
    isLeft: () => isLeft,
    /** Sets the function that closes the dialog. */
    closeBy: (next: () => void) => {
      onClose = next;
    },
    noteText: ({ target }: FocusEvent) => {
      if (isTextField(target) && !texts.has(target)) texts.set(target, target.value);
    },
    forgetTexts: () => texts.clear(),
  };
};

const useClosing = ({ opened: isOpen, onClose }: { opened: boolean; onClose: () => void }) => {
  const [dialog] = useState(leaving);
  useEffect(() => dialog.closeBy(onClose), [dialog, onClose]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const entry = { close: () => dialog.leave() };
    if (opened.push(entry) === 1) window.addEventListener('keydown', closeFront, { capture: true });
    return () => {
      dialog.forgetTexts();
      opened.splice(opened.indexOf(entry), 1);
      if (opened.length === 0) window.removeEventListener('keydown', closeFront, { capture: true });
    };
  }, [isOpen, dialog]);
  return {
    close: () => dialog.leave(),
    onFocusCapture: dialog.noteText,
    around: (children: ReactNode) => (
      <DialogContext value={dialog}>
        <Inside>{children}</Inside>
      </DialogContext>
    ),
  };
};

/** Mounted only while the dialog is open. */
function Inside({ children }: { children: ReactNode }) {
  useRestoreFocus();
  return children;
}

const textIsLost: Warning = {
  question: t`Close without saving?`,
  consequence: t`Unsaved text will be lost.`,
  verb: t`Close without saving`,
};

type TextField = HTMLInputElement | HTMLTextAreaElement;

/**
 * Whether an element is a field whose text would be worth keeping. False for searches and choices, which are quick to
 * repeat.
 */
const isTextField = (element: unknown): element is TextField =>
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLInputElement &&
    ['text', 'email', 'url', 'tel'].includes(element.type) &&
    !element.readOnly &&
    element.inputMode !== 'numeric' &&
    element.getAttribute('aria-haspopup') === null &&
    element.getAttribute('role') !== 'combobox');

const hasChanged = (texts: Map<TextField, string>): boolean =>
  [...texts].some(([field, before]) => field.isConnected && field.value !== before);
