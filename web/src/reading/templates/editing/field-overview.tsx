import { plural, t } from '@lingui/core/macro';
import type { TemplateField } from '@radwork/contract/reading/template-fields';
import { readTemplateFields } from '@radwork/contract/reading/template-fields-html';
import type { TemplateText } from '@radwork/contract/reading/templates';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from './field-overview.module.css';

const typeText = (field: TemplateField): string => {
  switch (field.kind) {
    case 'choice': {
      const options = field.options.join(' | ');
      return field.isMultiple ? t`any of ${options}` : options;
    }
    case 'number': {
      const { unit, least, most } = field;
      return [t`number`, unit, least === null || most === null ? '' : `${least} – ${most}`].filter(Boolean).join(' ');
    }
    case 'date':
      return t`day`;
    case 'text':
      return t`text`;
  }
};

/** Lists the typed fields and conditional parts of a template, and the faults that prevent saving. */
export function FieldOverview({ text: { content, sections } }: { text: TemplateText }) {
  const {
    fields: all,
    parts,
    faults,
  } = readTemplateFields([content, ...sections.map((one) => one.content)].join('<hr>'));
  // The same field may stand in several places.
  const fields = [...new Map(all.map((field) => [field.source, field])).values()];
  if (fields.length === 0 && parts.length === 0 && faults.length === 0) return null;
  const count = plural(fields.length, { one: '# field', other: '# fields' });
  return (
    <div className={styles.overview}>
      {faults.length > 0 && (
        <Notice tone="danger">
          <ul className={styles.faults} aria-label={t`Faults in fields`}>
            {faults.map(({ message, quote }) => (
              <li key={`${message} ${quote}`}>
                {message}: <span className="mono">{quote}</span>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <details>
        <summary>
          {count}
          {parts.length > 0 && `, ${plural(parts.length, { one: '# conditional part', other: '# conditional parts' })}`}
        </summary>
        <dl className={styles.fields}>
          {fields.map((field) => (
            <div key={field.source}>
              <dt>{field.name}</dt>
              <dd>{typeText(field)}</dd>
            </div>
          ))}
          {parts.map(({ condition, source }) => (
            <div key={`${condition} ${source}`}>
              <dt>{t`if ${condition}`}</dt>
              <dd>{source}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
