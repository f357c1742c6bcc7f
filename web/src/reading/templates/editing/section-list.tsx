import { t } from '@lingui/core/macro';
import { IconGripVertical } from '@tabler/icons-react';
import { type DragEvent, type KeyboardEvent, useState } from 'react';
import type { DraftSection } from './template-draft.ts';
import styles from './template-editor.module.css';

type Props = {
  sections: readonly DraftSection[];
  chosen: string | undefined;
  onChoose: (key: string) => void;
  onMove: (from: number, to: number) => void;
};

/** List of sections. Dragging, or Alt with an arrow key, moves a section. */
export function SectionList({ sections, chosen, onChoose, onMove }: Props) {
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<number>();
  const [announcement, setAnnouncement] = useState('');
  const move = (from: number, to: number) => {
    const section = sections[from];
    if (!section || to < 0 || to >= sections.length) return;
    onMove(from, to);
    const { name } = section;
    const [position, total] = [to + 1, sections.length];
    setAnnouncement(t`${name} is now section ${position} of ${total}`);
  };
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (!event.altKey || step === 0) return;
    event.preventDefault();
    move(index, index + step);
  };
  const drop = (event: DragEvent, index: number) => {
    event.preventDefault();
    if (dragged !== undefined) move(dragged, index);
    setDragged(undefined);
    setOver(undefined);
  };

  return (
    <>
      <ol className={styles.sections} aria-label={t`Sections`}>
        {sections.map((section, index) => (
          <li
            key={section.key}
            draggable
            data-dragged={dragged === index || undefined}
            data-over={over === index && dragged !== index ? true : undefined}
            onDragStart={() => setDragged(index)}
            onDragEnd={() => {
              setDragged(undefined);
              setOver(undefined);
            }}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(index);
            }}
            onDrop={(event) => drop(event, index)}
          >
            <button
              type="button"
              className={styles.part}
              aria-pressed={section.key === chosen}
              aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
              onClick={() => onChoose(section.key)}
              onKeyDown={(event) => onKeyDown(event, index)}
            >
              <IconGripVertical size={14} stroke={1.6} aria-hidden className={styles.grip} />
              <span className={styles.partTitle}>{section.name || t`Untitled`}</span>
              {!section.content && <span className={styles.empty}>{t`empty`}</span>}
            </button>
          </li>
        ))}
      </ol>
      <p className={styles.keys}>{t`Drag or press Alt+↑ or Alt+↓ to reorder.`}</p>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
    </>
  );
}
