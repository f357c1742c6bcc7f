import { t } from '@lingui/core/macro';
import { reportHighlights, reportTextColors } from '@radwork/contract/reading/report-colors';
import { IconBucketDroplet, IconHighlight, IconTextColor } from '@tabler/icons-react';
import { type Editor, useEditorState } from '@tiptap/react';
import { ColorMenu } from './color-menu.tsx';

const names: Record<keyof typeof reportTextColors | keyof typeof reportHighlights, string> = {
  red: t`Red`,
  amber: t`Amber`,
  green: t`Green`,
  blue: t`Blue`,
  grey: t`Gray`,
  yellow: t`Yellow`,
  violet: t`Violet`,
};

const nameOf = (color: string): string => Object.entries(names).find(([key]) => key === color)?.[1] ?? color;

const textColors = Object.entries(reportTextColors).map(([color, { print, screen }]) => ({
  name: nameOf(color),
  value: print,
  shown: screen,
}));

const backgrounds = Object.entries(reportHighlights).map(([color, value]) => ({
  name: nameOf(color),
  value,
  shown: value,
}));

type Props = { editor: Editor };

const textOrNothing = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Sets the color of the selected text. The stored color is for print; the screen shows a more readable variant. */
export function TextColorTool({ editor }: Props) {
  const current = useEditorState({
    editor,
    selector: ({ editor: now }) => textOrNothing(now.getAttributes('textStyle')['color']),
  });
  const choose = (value: string | undefined) =>
    value ? editor.chain().focus().setColor(value).run() : editor.chain().focus().unsetColor().run();
  return (
    <ColorMenu
      label={t`Text color`}
      icon={IconTextColor}
      colors={textColors}
      noneLabel={t`No color`}
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
      noneLabel={t`No highlight`}
      current={current}
      onChoose={choose}
    />
  );
}

/** Sets the background of the selected cells, or of the cell at the cursor. */
export function CellColorTool({ editor }: Props) {
  const current = useEditorState({ editor, selector: ({ editor: now }) => cellAttribute(now, 'backgroundColor') });
  return (
    <ColorMenu
      label={t`Cell background`}
      icon={IconBucketDroplet}
      colors={backgrounds}
      noneLabel={t`No background`}
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

/** Returns an attribute of the cell at the cursor. Also works in header cells. */
export const cellAttribute = (editor: Editor, name: 'backgroundColor' | 'align'): string | undefined =>
  textOrNothing(editor.getAttributes('tableCell')[name]) ?? textOrNothing(editor.getAttributes('tableHeader')[name]);
