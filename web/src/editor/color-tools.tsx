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

/** The colour of the selected words. What is stored is the colour of print; the screen shows its counterpart. */
export function TextColorTool({ editor }: Props) {
  const current = useEditorState({
    editor,
    selector: ({ editor: now }) => textOrNothing(now.getAttributes('textStyle')['color']),
  });
  const choose = (value: string | undefined) =>
    value ? editor.chain().focus().setColor(value).run() : editor.chain().focus().unsetColor().run();
  return (
    <ColorMenu
      label="Text colour"
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
      label="Highlight"
      icon={IconHighlight}
      colors={backgrounds}
      noneLabel="No highlight"
      current={current}
      onChoose={choose}
    />
  );
}

/** The background of the cells that are selected, or of the one with the cursor. */
export function CellColorTool({ editor }: Props) {
  const current = useEditorState({ editor, selector: ({ editor: now }) => cellAttribute(now, 'backgroundColor') });
  return (
    <ColorMenu
      label="Cell background"
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

/** What the cell with the cursor has, be it one of a header or not. */
export const cellAttribute = (editor: Editor, name: 'backgroundColor' | 'align'): string | undefined =>
  textOrNothing(editor.getAttributes('tableCell')[name]) ?? textOrNothing(editor.getAttributes('tableHeader')[name]);
