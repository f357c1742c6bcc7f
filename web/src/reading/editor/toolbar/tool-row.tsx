import { RichTextEditor } from '@mantine/tiptap';
import type { IconProps } from '@tabler/icons-react';
import type { Editor } from '@tiptap/react';
import { type ComponentType, type ReactNode, useCallback, useRef } from 'react';
import styles from '#reading/editor/report-editor.module.css';
import { useRovingFocus } from './use-roving-focus.ts';

type RowProps = { editor: Editor; label: string; name?: string; children: ReactNode };

/** Row of controls with one Tab stop. Arrow keys move between the controls; Escape returns to the text. */
export function ToolRow({ editor, label, name, children }: RowProps) {
  const row = useRef<HTMLDivElement>(null);
  useRovingFocus(
    row,
    useCallback(() => editor.commands.focus(), [editor]),
  );
  return (
    <RichTextEditor.Toolbar
      ref={row}
      className={styles.toolbar}
      role="toolbar"
      aria-label={label}
      aria-keyshortcuts="Alt+F10"
    >
      {name && <span className={styles.toolbarName}>{name}</span>}
      {children}
    </RichTextEditor.Toolbar>
  );
}

type ToolProps = {
  label: string;
  icon: ComponentType<IconProps>;
  isActive?: boolean | undefined;
  isDisabled?: boolean;
  onClick: () => void;
};

/** Toolbar button for an action that Mantine has no button for. */
export function Tool({ label, icon: Icon, isActive, isDisabled = false, onClick }: ToolProps) {
  return (
    <RichTextEditor.Control
      aria-label={label}
      title={label}
      disabled={isDisabled}
      onClick={onClick}
      {...(isActive !== undefined && { active: isActive })}
    >
      <Icon size={16} stroke={1.5} aria-hidden />
    </RichTextEditor.Control>
  );
}
