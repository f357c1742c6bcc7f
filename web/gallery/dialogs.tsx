import { Button, Menu, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { Dialog, SideDialog } from '#ui/dialogs/dialog.tsx';
import { CancelButton, DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { KeyboardHelpOnDemand } from '#ui/keyboard/keyboard-help-on-demand.tsx';
import { KeyboardHelp } from '#ui/keyboard/keyboard-help.tsx';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { MenuWithTooltip } from '#ui/dialogs/menu-with-tooltip.tsx';
import { offerUndo } from '#ui/feedback/undo-toast.tsx';
import { ignore, longName, longText, refused } from './data.ts';
import type { Specimens } from './specimens.ts';
import { Stage } from './stage.tsx';

const consequence = 'The images move to the recycle bin for 30 days.';

/** The dialog for questions. It asks its question again after each answer. */
function Question() {
  const [count, setCount] = useState(0);
  useEffect(() => {
    void confirm({ question: `Delete the study of ${longName}?`, consequence, verb: 'Delete study' }).then(() =>
      setCount(count + 1),
    );
  }, [count]);
  return <ConfirmDialog />;
}

const shortcuts = [
  { keys: 'j', does: 'Next study', run: ignore },
  { keys: 'ArrowDown', does: 'Next study', run: ignore },
  { keys: 'Ctrl+Enter', does: longText, run: ignore },
];

function Help() {
  useShortcuts('Worklist', shortcuts);
  return <KeyboardHelp opened onClose={ignore} />;
}

const form = (action: { isPending: boolean; error: Error | null }, children: ReactNode, isBarred = false) => (
  <DialogForm
    verb="Save macro"
    action={action}
    isBarred={isBarred}
    onSubmit={(event) => event.preventDefault()}
    onCancel={ignore}
  >
    {children}
  </DialogForm>
);

const resting = { isPending: false, error: null };

export const specimens: Specimens = {
  Dialog: {
    open: (
      <Stage height={260}>
        <Dialog opened onClose={ignore} title="New macro">
          {form(resting, <TextInput label="Name" />)}
        </Dialog>
      </Stage>
    ),
    'long text': (
      <Stage height={360}>
        <Dialog opened onClose={ignore} title={longText}>
          {longText}
        </Dialog>
      </Stage>
    ),
  },
  SideDialog: {
    open: (
      <Stage height={260}>
        <SideDialog opened onClose={ignore} position="right" size={300} title="Chat">
          No messages yet.
        </SideDialog>
      </Stage>
    ),
  },
  ConfirmDialog: {
    danger: (
      <Stage height={260}>
        <Question />
      </Stage>
    ),
  },
  DialogForm: {
    empty: form(resting, <TextInput label="Name of macro" />),
    loading: form({ ...resting, isPending: true }, <TextInput label="Name of saved macro" defaultValue="normal" />),
    error: form({ ...resting, error: refused }, <TextInput label="Name of changed macro" defaultValue="normal" />),
    disabled: form(resting, <TextInput label="Name of double macro" error="This name is taken" />, true),
    'long text': form(resting, <Textarea label={longText} autosize defaultValue={longText} />),
  },
  CancelButton: { resting: <CancelButton onCancel={ignore} /> },
  KeyboardHelp: {
    open: (
      <Stage width={640} height={500}>
        <Help />
      </Stage>
    ),
  },
  KeyboardHelpOnDemand: { closed: <KeyboardHelpOnDemand opened={false} onClose={ignore} /> },
  MenuWithTooltip: {
    closed: (
      <MenuWithTooltip tip="More actions" target={<Button variant="default">More</Button>}>
        <Menu.Dropdown>
          <Menu.Item>Assign study</Menu.Item>
          <Menu.Item disabled>Delete study</Menu.Item>
          <Menu.Item>{longText}</Menu.Item>
        </Menu.Dropdown>
      </MenuWithTooltip>
    ),
  },
  offerUndo: {
    closed: (
      <Button variant="default" onClick={() => offerUndo('Study deleted', ignore)}>
        Delete
      </Button>
    ),
  },
};
