import { t } from '@lingui/core/macro';
import { useMediaQuery } from '@mantine/hooks';
import { IconTemplate } from '@tabler/icons-react';
import type { Editor } from '@tiptap/react';
import { useState } from 'react';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { ChosenTemplate } from './chosen-template.tsx';
import { TemplateCards } from './template-cards.tsx';
import type { TemplateFilter } from '#reading/templates/template-filter.ts';
import { TemplateFilters } from '#reading/templates/list/template-filters.tsx';
import styles from './template-picker.module.css';
import { preferredTemplate } from '#reading/templates/use-ready-template.ts';
import { useAvailableTemplates, useStudyFacts } from '#reading/templates/use-templates.ts';

type Props = { opened: boolean; editor: Editor; studyId: string; onClose: () => void };

/** Dialog to choose a template for the open report, with a preview. */
export function TemplatePicker({ opened, editor, studyId, onClose }: Props) {
  const isNarrow = useMediaQuery('(max-width: 760px)');
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t`Templates`}
      size={1120}
      fullScreen={isNarrow}
      returnFocus={false}
      onExitTransitionEnd={() => editor.commands.focus()}
    >
      <Picker editor={editor} studyId={studyId} onClose={onClose} />
    </Dialog>
  );
}

function Picker({ editor, studyId, onClose }: Omit<Props, 'opened'>) {
  const [filter, setFilter] = useState<TemplateFilter>({});
  const [chosenKey, setChosenKey] = useState<string>();
  const facts = useStudyFacts(studyId);
  const { ranked, isPending, error, refetch } = useAvailableTemplates(filter, facts.data?.exam);
  const isWaiting = isPending || facts.isPending;
  // If nothing is chosen, or a filter has removed the chosen template, falls back to the reader's last choice for this
  // kind of study. Without one, falls back to the best match.
  const selectedTemplate =
    ranked.find(({ key }) => key === chosenKey) ?? preferredTemplate(ranked, facts.data?.chosenTemplateId);

  return (
    <div className={styles.picker}>
      <div className={styles.filters}>
        <TemplateFilters filter={filter} onFilter={setFilter} />
      </div>
      <div className={styles.list}>
        {isWaiting && !error && <Skeleton lines={8} label={t`Loading templates`} />}
        {error && <ErrorState failed={t`Failed to load templates`} error={error} onRetry={() => void refetch()} />}
        {!isWaiting && !error && ranked.length === 0 && (
          <EmptyState
            icon={IconTemplate}
            title={t`No templates found matching your criteria`}
            detail={t`Try fewer words or another modality.`}
          />
        )}
        {!isWaiting && !error && (
          <TemplateCards ranked={ranked} chosen={selectedTemplate?.key} onChoose={setChosenKey} />
        )}
      </div>
      <div className={styles.chosen}>
        {selectedTemplate ? (
          <ChosenTemplate
            key={selectedTemplate.key}
            offered={selectedTemplate}
            facts={facts}
            editor={editor}
            studyId={studyId}
            onDone={onClose}
          />
        ) : (
          !isWaiting && <p className={styles.hint}>{t`Select a template to preview its text.`}</p>
        )}
      </div>
    </div>
  );
}
