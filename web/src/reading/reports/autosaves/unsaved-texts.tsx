import { t } from '@lingui/core/macro';
import { Button, CopyButton } from '@mantine/core';
import type { Autosave } from '@radwork/contract/reading/report-autosaves';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useState } from 'react';
import { forgetUnsaved, isLostWithPage } from '#core/state/unsaved-texts.ts';
import { ReportText } from '#reading/editor/reading/report-text.tsx';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { discardAutosave } from './autosaves.ts';
import { localCopies, type LocalCopy } from './local-copies.ts';
import { htmlToPlainText } from './plain-text.ts';
import styles from '#reading/reports/panel/report-panel.module.css';

type Props = {
  studyId: string;
  /** Autosaves on the server that the user can restore. */
  autosaves?: readonly Autosave[];
  /** Names of copies not to list, because this editor has them open. */
  except?: readonly (string | undefined)[];
  /** Continues a text in the editor; undefined where the user may not write. */
  onTake?: (copy: LocalCopy) => void;
};

/**
 * The user's unsaved texts in a study, including texts whose report, study or window no longer exists. They remain
 * until the user discards them.
 */
export function UnsavedTexts({ studyId, autosaves = [], except = [], onTake }: Props) {
  const client = useQueryClient();
  const [, lookAgain] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    // Another window has written or saved a text.
    window.addEventListener('storage', lookAgain);
    return () => window.removeEventListener('storage', lookAgain);
  }, []);
  const copies = localCopies(studyId).filter(({ name }) => !except.includes(name));
  return (
    <>
      {copies.map((copy) => (
        <Unsaved
          key={copy.name}
          at={copy.at}
          content={copy.content}
          where={
            isLostWithPage(copy.name)
              ? t`This browser cannot store the text. The text is lost when you close this page.`
              : t`The text is stored in this browser.`
          }
          onTake={onTake && (() => onTake(copy))}
          onDiscard={() => {
            forgetUnsaved(copy.name);
            lookAgain();
          }}
        />
      ))}
      {autosaves.map(({ id, savedAt, content }) => (
        <Unsaved
          key={id}
          at={savedAt}
          content={content}
          where={t`The text is autosaved on the server.`}
          onDiscard={() => void discardAutosave(client, studyId, id)}
        />
      ))}
    </>
  );
}

type UnsavedProps = {
  at: string;
  content: string;
  where: string;
  onTake?: (() => void) | undefined;
  onDiscard: () => void;
};

function Unsaved({ at, content, where, onTake, onDiscard }: UnsavedProps) {
  const [isShown, setIsShown] = useState(false);
  const moment = formatMoment(at);
  const discard = async () => {
    const agreed = await confirm({
      question: t`Discard your unsaved text?`,
      consequence: t`The text was never saved. This cannot be undone.`,
      verb: t`Discard text`,
    });
    if (agreed) onDiscard();
  };
  return (
    <Notice tone="warning">
      {onTake
        ? t`Your text of ${moment} was never saved.`
        : t`Your text of ${moment} was never saved and cannot be saved here now.`}{' '}
      {where}
      <div className={styles.choices}>
        <Button variant="default" size="compact-xs" onClick={() => setIsShown(true)}>
          {t`Show my text`}
        </Button>
        {onTake && (
          <Button variant="default" size="compact-xs" onClick={onTake}>
            {t`Continue with my text`}
          </Button>
        )}
        <Button variant="default" size="compact-xs" onClick={() => void discard()}>
          {t`Discard`}
        </Button>
      </div>
      <Dialog opened={isShown} onClose={() => setIsShown(false)} title={t`Your unsaved text`} size={640}>
        <ReportText html={content} />
        <CopyButton value={htmlToPlainText(content)}>
          {({ copied, copy }) => <Button onClick={copy}>{copied ? t`Copied` : t`Copy text`}</Button>}
        </CopyButton>
      </Dialog>
    </Notice>
  );
}
