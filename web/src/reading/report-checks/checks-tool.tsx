import { plural, t } from '@lingui/core/macro';
import { Button, Tooltip } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import type { ReportWarning } from '@radwork/contract/reading/report-checks';
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

/** Identifies a warning while its text moves. If the words change, it is another warning. */
const subjectOf = ({ kind, message, quote }: ReportWarning): string => `${kind} ${message} ${quote}`;

/** Shows the number of warnings about the text being written, and lists them on request. */
export function ChecksTool({ editor, studyId }: Props) {
  const all = useWarnings(editor, studyId);
  const [isOpen, setOpen] = useState(false);
  const [dismissed, setDismissed] = useState<readonly string[]>([]);
  const warnings = all?.filter((warning) => !dismissed.includes(subjectOf(warning)));
  const hiddenCount = (all?.length ?? 0) - (warnings?.length ?? 0);
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
  const show = (warning: ReportWarning): boolean => {
    const isThere = selectWarningText(studyId, warning);
    if (!isThere) toast.info(t`This text is no longer in the report.`);
    return isThere;
  };
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
              onShow={show}
              onDismiss={(warning) => setDismissed([...dismissed, subjectOf(warning)])}
              onReplace={(warning, words) => {
                if (show(warning)) editor.chain().focus().insertContent({ type: 'text', text: words }).run();
              }}
            />
          )}
          {isOpen && hiddenCount > 0 && (
            <p className={styles.note}>
              {t`${plural(hiddenCount, { one: '# dismissed. It is shown again before you sign.', other: '# dismissed. They are shown again before you sign.' })}`}{' '}
              <button type="button" className={styles.show} onClick={() => setDismissed([])}>
                {t`Show all`}
              </button>
            </p>
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
