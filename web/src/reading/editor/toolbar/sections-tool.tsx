import { t } from '@lingui/core/macro';
import { Menu } from '@mantine/core';
import { RichTextEditor } from '@mantine/tiptap';
import { IconListTree } from '@tabler/icons-react';
import { TextSelection } from '@tiptap/pm/state';
import type { Editor } from '@tiptap/react';
import { useState } from 'react';

type Section = { title: string; position: number };

/** Returns the headings of a report with the position after each. */
const sectionsOf = ({ state }: Editor): Section[] => {
  const sections: Section[] = [];
  state.doc.forEach((node, offset) => {
    const title = node.textContent.trim();
    if (node.type.name === 'heading' && title) sections.push({ title, position: offset + node.nodeSize });
  });
  return sections;
};

/** Menu of the sections of a report. Moves the cursor to the start of the chosen section. */
export function SectionsTool({ editor }: { editor: Editor }) {
  const [sections, setSections] = useState<readonly Section[]>([]);
  const label = t`Sections`;
  const go = ({ position }: Section) => {
    const { state, view } = editor;
    const place = state.doc.resolve(Math.min(position, state.doc.content.size));
    view.dispatch(state.tr.setSelection(TextSelection.near(place)).scrollIntoView());
  };
  return (
    <Menu
      position="bottom-start"
      returnFocus={false}
      onOpen={() => setSections(sectionsOf(editor))}
      onClose={() => editor.commands.focus()}
    >
      <Menu.Target>
        <RichTextEditor.Control aria-label={label} title={label}>
          <IconListTree size={16} stroke={1.5} aria-hidden />
        </RichTextEditor.Control>
      </Menu.Target>
      <Menu.Dropdown>
        {sections.length === 0 && <Menu.Item disabled>{t`No headings`}</Menu.Item>}
        {sections.map((section) => (
          <Menu.Item key={section.position} onClick={() => go(section)}>
            {section.title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
