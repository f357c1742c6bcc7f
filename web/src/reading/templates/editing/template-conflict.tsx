import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { GlobalTemplate, Template, TemplateText } from '@radwork/contract/reading/templates';
import { useState } from 'react';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from './template-editor.module.css';
import { TemplateDifference } from './template-versions.tsx';

type Props = {
  storedTemplate: Template | GlobalTemplate;
  mine: TemplateText;
  onKeep: () => void;
  onAdopt: () => void;
};

/**
 * Notice that another user has saved the template. It names the user, shows the differences and lets the writer choose
 * a text.
 */
export function TemplateConflict({ storedTemplate, mine, onKeep, onAdopt }: Props) {
  const [isCompared, setCompared] = useState(false);
  const { updatedBy, version } = storedTemplate;
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
              {t`Keep my text`}
            </Button>
            <Button size="compact-xs" variant="default" onClick={onAdopt}>
              {t`Use saved text`}
            </Button>
          </span>
        }
      >
        {t`${updatedBy} saved version ${version} while you were editing. Your changes are not saved.`}
      </Notice>
      {isCompared && (
        <div
          className={styles.compared}
          role="region"
          aria-label={t`Differences between the saved text and yours`}
          tabIndex={0}
        >
          <TemplateDifference before={storedTemplate} after={mine} />
        </div>
      )}
    </>
  );
}
