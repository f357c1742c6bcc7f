import { t } from '@lingui/core/macro';
import { type ContentItem, measureText } from '@radwork/dicom/content-tree';
import type { ReactNode } from 'react';
import { momentInWords } from './report-facts.ts';
import { ReportLink, type References } from './report-link.tsx';
import styles from './structured-report.module.css';

type Props = { item: ContentItem; level: number; references: References };

/** One content item with its children: a section below its heading, or a name with its value. */
export function ReportItem({ item, level, references }: Props) {
  if (item.valueType === 'CONTAINER') return <Section item={item} level={level} references={references} />;
  const { name, fault, children } = item;
  return (
    <div className={styles.item}>
      <span className={styles.name}>{name || relationshipInWords(item)}</span>
      <span className={styles.value}>
        {fault ? <span className={styles.fault}>{`(${fault})`}</span> : <Value item={item} references={references} />}
      </span>
      {children.length > 0 && (
        <div className={styles.below}>
          {children.map((child, at) => (
            <ReportItem key={at} item={child} level={level} references={references} />
          ))}
        </div>
      )}
    </div>
  );
}

function Section({ item, level, references }: Props) {
  const Heading = level <= 3 ? 'h3' : level === 4 ? 'h4' : 'h5';
  return (
    <section className={styles.section}>
      {item.name && <Heading className={styles.heading}>{item.name}</Heading>}
      {item.fault && <p className={styles.fault}>{`(${item.fault})`}</p>}
      {item.children.map((child, at) => (
        <ReportItem key={at} item={child} level={level + 1} references={references} />
      ))}
    </section>
  );
}

const relationships: Record<string, string> = {
  'INFERRED FROM': t`Inferred from`,
  'SELECTED FROM': t`Selected from`,
  'HAS PROPERTIES': t`Property`,
  'HAS OBS CONTEXT': t`Context`,
  'HAS ACQ CONTEXT': t`Acquisition`,
  'HAS CONCEPT MOD': t`Modifier`,
};

const relationshipInWords = ({ relationship }: ContentItem): string => relationships[relationship] ?? '';

const shapes: Record<string, string> = {
  POINT: t`Point`,
  MULTIPOINT: t`Points`,
  POLYLINE: t`Line`,
  CIRCLE: t`Circle`,
  ELLIPSE: t`Ellipse`,
  POLYGON: t`Outline`,
  ELLIPSOID: t`Ellipsoid`,
};

/** Value of an item. For coordinates, shows only their shape; a link to their image follows. */
function Value({ item, references }: Omit<Props, 'level'>): ReactNode {
  const { valueType, value, measure } = item;
  if (measure) return measureText(measure, measure.unit);
  if (item.references.length > 0) {
    return item.references.map((reference, at) => (
      <div key={at}>
        <ReportLink reference={reference} references={references} />
      </div>
    ));
  }
  if (valueType === 'SCOORD' || valueType === 'SCOORD3D') return shapes[value.split(' ')[0] ?? ''] ?? t`Shape`;
  if (valueType === 'DATETIME') return momentInWords(value);
  if (valueType === 'UIDREF') return <span className={styles.uid}>{value}</span>;
  return value;
}
