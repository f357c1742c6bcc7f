import { t } from '@lingui/core/macro';
import { reportHighlights, reportTextColors } from '@radwork/contract/report-colors';
import { IconBucketDroplet, IconHighlight, IconTextColor } from '@tabler/icons-react';
import { type Editor, useEditorState } from '@tiptap/react';
import { ColorMenu } from './color-menu.tsx';

const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

const textColors = Object.entries(reportTextColors).map(([name, { print, screen }]) => ({
  name: capitalized(name),
  value: print,
  shown: screen,
}));

const backgrounds = Object.entries(reportHighlights).map(([name, value]) => ({
  name: capitalized(name),
  value,
  shown: value,
}));

type Props = { editor: Editor };

const textOrNothing = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Color of the selected text. The stored color is for print; the screen shows a readable counterpart. */
export function TextColorTool({ editor }: Props) {
  const current = useEditorState({
    editor,
    selector: ({ editor: now }) => textOrNothing(now.getAttributes('textStyle')['color']),
  });
  const choose = (value: string | undefined) =>
    value ? editor.chain().focus().setColor(value).run() : editor.chain().focus().unsetColor().run();
  return (
    <ColorMenu
      label={t`Text colour`}
      icon={IconTextColor}
      colors={textColors}
      noneLabel="No colour"
      current={current}
      onChoose={choose}
    />
  );
}

export function HighlightTool({ editor }: Props) {
  const current = useEditorState({
    editor,
    selector: ({ editor: now }) => textOrNothing(now.getAttributes('highlight')['color']),
  });
  const choose = (color: string | undefined) =>
    color ? editor.chain().focus().setHighlight({ color }).run() : editor.chain().focus().unsetHighlight().run();
  return (
    <ColorMenu
      label={t`Highlight`}
      icon={IconHighlight}
      colors={backgrounds}
      noneLabel="No highlight"
      current={current}
      onChoose={choose}
    />
  );
}

/** Background of the selected cells, or of the cell at the cursor. */
export function CellColorTool({ editor }: Props) {
  const current = useEditorState({ editor, selector: ({ editor: now }) => cellAttribute(now, 'backgroundColor') });
  return (
    <ColorMenu
      label={t`Cell background`}
      icon={IconBucketDroplet}
      colors={backgrounds}
      noneLabel="No background"
      current={current}
      onChoose={(value) =>
        editor
          .chain()
          .focus()
          .setCellAttribute('backgroundColor', value ?? null)
          .run()
      }
    />
  );
}

/** Attribute of the cell at the cursor, normal or header. */
export const cellAttribute = (editor: Editor, name: 'backgroundColor' | 'align'): string | undefined =>
  textOrNothing(editor.getAttributes('tableCell')[name]) ?? textOrNothing(editor.getAttributes('tableHeader')[name]);
