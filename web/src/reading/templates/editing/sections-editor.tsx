import { t } from '@lingui/core/macro';
import { Button, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { offerUndo } from '#ui/feedback/undo-toast.tsx';
import { TemplatePartEditor } from './template-part-editor.tsx';
import { SectionList } from './section-list.tsx';
import { type DraftSection, moveItem, newSection, type TemplateWriting } from './template-draft.ts';
import styles from './template-editor.module.css';

/** Key of the text before the first section. */
const openingKey = 'opening';

/** Edits the text of a template: the part before the sections, and each section. */
export function SectionsEditor({ writing: { draft, change, listenTo } }: { writing: TemplateWriting }) {
  const { sections } = draft;
  const [chosenKey, setChosenKey] = useState(sections[0]?.key ?? openingKey);
  const selectedSection = sections.find(({ key }) => key === chosenKey);
  const setSections = (next: (sections: readonly DraftSection[]) => readonly DraftSection[]) =>
    change((before) => ({ ...before, sections: next(before.sections) }));
  const setSection = (key: string, fields: Partial<DraftSection>) =>
    setSections((all) => all.map((section) => (section.key === key ? { ...section, ...fields } : section)));
  const add = () => {
    const section = newSection();
    setSections((all) => [...all, section]);
    setChosenKey(section.key);
  };
  const remove = (section: DraftSection) => {
    const at = sections.findIndex(({ key }) => key === section.key);
    setSections((all) => all.filter(({ key }) => key !== section.key));
    setChosenKey((sections[at + 1] ?? sections[at - 1])?.key ?? openingKey);
    const { name } = section;
    offerUndo(t`Section ${name} deleted`, () => {
      setSections((all) => all.toSpliced(Math.min(at, all.length), 0, section));
      setChosenKey(section.key);
    });
  };

  return (
    <div className={styles.parts}>
      <div className={styles.rail}>
        <button
          type="button"
          className={styles.part}
          aria-pressed={!selectedSection}
          onClick={() => setChosenKey(openingKey)}
        >
          {t`Opening text`}
          {!draft.content && <span className={styles.empty}>{t`empty`}</span>}
        </button>
        <SectionList
          sections={sections}
          chosen={selectedSection?.key}
          onChoose={setChosenKey}
          onMove={(from, to) => setSections((all) => moveItem(all, from, to))}
        />
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
          {t`Create section`}
        </Button>
      </div>
      <div className={styles.content}>
        {selectedSection ? (
          <>
            <div className={styles.partHead}>
              <TextInput
                className={styles.partName}
                aria-label={t`Section name`}
                maxLength={80}
                value={selectedSection.name}
                error={selectedSection.name.trim() ? undefined : t`Section name is required`}
                onChange={(event) => setSection(selectedSection.key, { name: event.currentTarget.value })}
              />
              <Button
                variant="default"
                leftSection={<IconTrash size={15} aria-hidden />}
                onClick={() => remove(selectedSection)}
              >
                {t`Delete section`}
              </Button>
            </div>
            <TemplatePartEditor
              key={selectedSection.key}
              start={selectedSection.content}
              onChange={(content) => setSection(selectedSection.key, { content })}
              onOpen={listenTo}
            />
          </>
        ) : (
          <TemplatePartEditor
            key={openingKey}
            start={draft.content}
            onChange={(content) => change((before) => ({ ...before, content }))}
            onOpen={listenTo}
          />
        )}
      </div>
    </div>
  );
}
