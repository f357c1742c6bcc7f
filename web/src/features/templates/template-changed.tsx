import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import type { GlobalTemplate, Template, TemplateText } from '@radwork/contract/templates';
import { useState } from 'react';
import { Notice } from '#ui/notice.tsx';
import styles from './template-editor.module.css';
import { TemplateDifference } from './template-versions.tsx';

type Props = {
  theirs: Template | GlobalTemplate;
  mine: TemplateText;
  onKeep: () => void;
  onAdopt: () => void;
};

/** Conflict notice: names the other user, shows the differences, and lets the user choose a text. */
export function TemplateChanged({ theirs, mine, onKeep, onAdopt }: Props) {
  const [isCompared, setCompared] = useState(false);
  return (
    <>
      <Notice
        tone="warning"
        action={
          <span className={styles.choices}>
            <Button size="compact-xs" variant="default" onClick={() => setCompared(!isCompared)}>
              {isCompared ? t`Hide differences` : t`Show differences`}
            </Button>
            <Button size="compact-xs" variant="default" onClick={onKeep}>
              {t`Go on with mine`}
            </Button>
            <Button size="compact-xs" variant="default" onClick={onAdopt}>
              {t`Take theirs`}
            </Button>
          </span>
        }
      >
        <Trans>
          {theirs.updatedBy} saved version {theirs.version} while you were writing. Nothing of yours is saved yet.
        </Trans>
      </Notice>
      {isCompared && (
        <div className={styles.compared} role="region" aria-label={t`Differences from theirs to yours`} tabIndex={0}>
          <TemplateDifference before={theirs} after={mine} />
        </div>
      )}
    </>
  );
}
