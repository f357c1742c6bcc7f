import { t } from '@lingui/core/macro';
import type { HangingRuleForm } from '@radwork/contract/reading/hanging-rules';
import type { CSSProperties } from 'react';
import { gridWithPrior } from '#reading/viewer/hanging/hang-by-rule.ts';
import { type Layout, layoutFor, panesOf, sizeOf } from '#reading/viewer/hanging/layouts.ts';
import { emptyPane, paneText } from './rule-texts.ts';
import styles from './hanging-rules.module.css';

type Cell = { at: number; isPrior: boolean };

const plainGrid = (layout: Layout, { prior, panes }: HangingRuleForm): { layout: Layout; cells: readonly Cell[] } => ({
  layout,
  cells: Array.from({ length: panesOf(layout) }, (_, at) => ({
    at,
    isPrior: prior === 'panes' && panes[at]?.isPrior === true,
  })),
});

const gridOf = (rule: HangingRuleForm) => {
  const base = rule.layout ?? layoutFor(Math.max(rule.panes.length, 1));
  const { prior } = rule;
  const joined =
    prior === 'beside' || prior === 'below'
      ? gridWithPrior(base, prior)
      : prior === 'space'
        ? base === '1x1'
          ? gridWithPrior(base, 'beside')
          : (gridWithPrior(base, 'below') ?? gridWithPrior(base, 'beside'))
        : undefined;
  return joined ?? plainGrid(base, rule);
};

/**
 * Small preview of the viewports of a rule, with the series of each. A dashed frame means that the shape of the space
 * decides the layout.
 */
export function RulePreview({ rule, isLarge = false }: { rule: HangingRuleForm; isLarge?: boolean }) {
  const { layout, cells } = gridOf(rule);
  const { rows, columns } = sizeOf(layout);
  const texts = cells.map(({ at, isPrior }) => {
    const shown = paneText(rule.panes[at] ?? emptyPane);
    if (!isPrior) return shown || t`Next series`;
    return shown ? t`Prior: ${shown}` : t`Prior`;
  });
  return (
    <div
      role="img"
      aria-label={texts.join('; ')}
      className={styles.preview}
      data-large={isLarge || undefined}
      data-free={rule.layout === null || undefined}
      style={{ '--rows': rows, '--columns': columns } as CSSProperties}
    >
      {cells.map(({ isPrior }, cell) => (
        // The index is a valid key, because cells never move.
        // oxlint-disable-next-line react/no-array-index-key
        <span key={cell} className={styles.cell} data-prior={isPrior || undefined}>
          {isLarge && texts[cell]}
        </span>
      ))}
    </div>
  );
}
