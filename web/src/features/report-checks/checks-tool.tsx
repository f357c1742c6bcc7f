import { t } from '@lingui/core/macro';
import { Button, Tooltip } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import type { Editor } from '@tiptap/react';
import { useEffect, useId, useState } from 'react';
import { toast } from '#core/toasts.ts';
import { BelowTools } from '#editor/below-tools.tsx';
import { selectWords } from '#editor/report-blocks.ts';
import styles from './report-checks.module.css';
import { leadTo, showWords } from './shown-text.ts';
import { useWarnings } from './use-warnings.ts';
import { WarningList } from './warning-list.tsx';

type Props = { editor: Editor; studyId: string };

const remarks = (count: number) => (count === 1 ? '1 remark' : `${count} remarks`);

/** Shows the number of remarks about the text being written, and lists them on request (D-31). */
export function ChecksTool({ editor, studyId }: Props) {
  const warnings = useWarnings(editor, studyId);
  const [isOpen, setOpen] = useState(false);
  const list = useId();
  useEffect(
    () =>
      leadTo(
        studyId,
        ({ from, to, quote }) => from !== null && to !== null && selectWords(editor, { from, to }, quote),
      ),
    [studyId, editor],
  );
  const label = warnings ? t`Checks: ${warnings.length === 0 ? 'no remarks' : remarks(warnings.length)}` : t`Checks`;
  return (
    <>
      <Tooltip label={label}>
        <Button
          className={styles.tool ?? ''}
          size="compact-sm"
          variant="subtle"
          aria-label={label}
          aria-expanded={isOpen}
          aria-controls={list}
          data-doubtful={Boolean(warnings?.length) || undefined}
          onClick={() => setOpen(!isOpen)}
          leftSection={<IconListCheck size={16} stroke={1.6} aria-hidden />}
        >
          {warnings?.length ?? '–'}
        </Button>
      </Tooltip>
      <BelowTools>
        <div id={list} className={isOpen ? styles.panel : styles.closed}>
          {isOpen && warnings && warnings.length > 0 && (
            <WarningList
              warnings={warnings}
              onShow={(warning) => {
                if (!showWords(studyId, warning)) toast.info('These words are no longer in the report.');
              }}
            />
          )}
          {isOpen && (
            <p className={styles.note}>
              {warnings?.length === 0 && t`Nothing doubtful was found. `}
              {t`The checks know words, not images: what they are silent about is not thereby right.`}
            </p>
          )}
        </div>
      </BelowTools>
    </>
  );
}
