import { plural, t } from '@lingui/core/macro';
import { Button, Tooltip } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import type { Editor } from '@tiptap/react';
import { useEffect, useId, useState } from 'react';
import { toast } from '#core/browser/toasts.ts';
import { BelowToolbar } from '#reading/editor/toolbar/below-toolbar.tsx';
import { selectWords } from '#reading/editor/reading/report-blocks.ts';
import styles from './report-checks.module.css';
import { registerOpenText, selectWarningText } from './open-report-text.ts';
import { useWarnings } from './use-warnings.ts';
import { WarningList } from './warning-list.tsx';

type Props = { editor: Editor; studyId: string };

const labelOf = (warnings: readonly unknown[] | undefined): string => {
  if (!warnings) return t`Checks`;
  const count = warnings.length;
  return count === 0
    ? t`Checks: no warnings`
    : t`${plural(count, { one: 'Checks: # warning', other: 'Checks: # warnings' })}`;
};

/** Shows the number of warnings about the text being written, and lists them on request. */
export function ChecksTool({ editor, studyId }: Props) {
  const warnings = useWarnings(editor, studyId);
  const [isOpen, setOpen] = useState(false);
  const list = useId();
  useEffect(
    () =>
      registerOpenText(
        studyId,
        ({ from, to, quote }) => from !== null && to !== null && selectWords(editor, { from, to }, quote),
      ),
    [studyId, editor],
  );
  const label = labelOf(warnings);
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
      <BelowToolbar>
        <div id={list} className={isOpen ? styles.panel : styles.closed}>
          {isOpen && warnings && warnings.length > 0 && (
            <WarningList
              warnings={warnings}
              onShow={(warning) => {
                if (!selectWarningText(studyId, warning)) toast.info(t`This text is no longer in the report.`);
              }}
            />
          )}
          {isOpen && (
            <p className={styles.note}>
              {warnings?.length === 0 && `${t`No warnings.`} `}
              {t`Checks cover the text only, not the images.`}
            </p>
          )}
        </div>
      </BelowToolbar>
    </>
  );
}
