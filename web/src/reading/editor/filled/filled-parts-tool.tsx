import { plural, t } from '@lingui/core/macro';
import { Button, Menu } from '@mantine/core';
import { IconEyeCheck } from '@tabler/icons-react';
import { type Editor, useEditorState } from '@tiptap/react';
import { useEffect } from 'react';
import { goToUnseenPart, lookAtParts, unseenPartsOf } from './filled-parts.ts';
import { registerFilledText } from './open-filled-text.ts';

/** Number of filled parts that the reader has not looked at. Goes to the next part, or confirms all. */
export function FilledPartsTool({ editor, studyId }: { editor: Editor; studyId: string }) {
  const count = useEditorState({ editor, selector: ({ editor: now }) => unseenPartsOf(now.state.doc).length });
  useEffect(
    () =>
      registerFilledText(studyId, {
        count: () => unseenPartsOf(editor.state.doc).length,
        show: () => goToUnseenPart(editor),
        confirm: () => lookAtParts(editor, unseenPartsOf(editor.state.doc)),
      }),
    [editor, studyId],
  );
  if (count === 0) return null;
  const label = plural(count, { one: '# filled part not looked at', other: '# filled parts not looked at' });
  return (
    <Menu position="bottom-start" returnFocus={false}>
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={label}
          title={label}
          leftSection={<IconEyeCheck size={16} stroke={1.6} aria-hidden />}
        >
          {count}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => goToUnseenPart(editor)}>{t`Go to next filled part`}</Menu.Item>
        <Menu.Item onClick={() => lookAtParts(editor, unseenPartsOf(editor.state.doc))}>
          {t`Confirm all filled parts`}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
