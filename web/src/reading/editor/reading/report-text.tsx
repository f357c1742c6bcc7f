import { useMemo } from 'react';
import { shownHtml } from './safe-html.ts';
import styles from './sheet.module.css';

/** Text of a report, read-only. */
export function ReportText({ html }: { html: string }) {
  const safe = useMemo(() => ({ __html: shownHtml(html) }), [html]);
  return <div className={styles.sheet} dangerouslySetInnerHTML={safe} />;
}
