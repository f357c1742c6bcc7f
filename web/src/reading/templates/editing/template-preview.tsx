import { t } from '@lingui/core/macro';
import { Switch } from '@mantine/core';
import { fillHtml, sampleValues } from '@radwork/contract/reading/merge-fields';
import { laidOutHtml } from '@radwork/contract/reading/template-text';
import type { TemplateText } from '@radwork/contract/reading/templates';
import { useState } from 'react';
import { ReportText } from '#reading/editor/reading/report-text.tsx';
import styles from './template-preview.module.css';

/** Shows a template as in a report, with sample data in merge fields. */
export function TemplatePreview({ text }: { text: TemplateText }) {
  const [normal, setNormal] = useState(false);
  return (
    <div className={styles.preview}>
      <div className={styles.head}>
        <span>{t`With sample data`}</span>
        {text.normalFindings.length > 0 && (
          <Switch
            label={t`Normal findings`}
            checked={normal}
            onChange={(event) => setNormal(event.currentTarget.checked)}
          />
        )}
      </div>
      <div className={styles.paper}>
        <ReportText html={laidOutHtml(text, { normal, values: sampleValues, fill: fillHtml })} />
      </div>
    </div>
  );
}
