import { useMemo } from 'react';
import { safeHtml } from './safe-html.ts';
import styles from './sheet.module.css';

/** The text of a report, to be read. */
export function ReportText({ html }: { html: string }) {
  const safe = useMemo(() => ({ __html: safeHtml(html) }), [html]);
  return <div className={styles.sheet} dangerouslySetInnerHTML={safe} />;
}
