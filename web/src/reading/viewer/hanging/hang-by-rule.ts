import {
  type HangingPane,
  type HangingRule,
  hangingRuleFor,
  layoutWithPrior,
} from '@radwork/contract/reading/hanging-rules';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { type Hanging, hangAlone, type HangingStudy, type HungSeries, kindOf, roleOf, withPrior } from './hanging.ts';
import { type Layout, layoutFor, panesOf, shapesOf, sizeOf } from './layouts.ts';
import { hungByText } from './rule-labels.ts';
import { planeOf } from './series-description.ts';

type Images = ReadonlyMap<string, readonly SeriesImage[]>;

/** Returns the rule for a study on a workstation with this number of monitors. */
export const ruleFor = (
  rules: readonly HangingRule[],
  study: HangingStudy,
  monitors: number,
): HangingRule | undefined => {
  const { modality, part } = kindOf(study);
  return hangingRuleFor(rules, { modality, bodyPart: part, monitors });
};

/** Kinds of detail views. A rule for "R CC" never shows a spot view of it. */
const details = ['magnification', 'spot', 'modified', 'partial'];

const showsIt = (shows: string, hung: HungSeries, images: Images): boolean => {
  const role = roleOf(hung, images).split(' ');
  const required = shows.split(' ').filter(Boolean);
  const known = [...role, hung.series.modality];
  return (
    required.every((one) => known.includes(one)) &&
    !(required.length > 0 && role.some((one) => details.includes(one) && !required.includes(one)))
  );
};

/** Whether a series meets all conditions of a viewport. */
const meets = ({ shows, plane, words }: HangingPane, hung: HungSeries, images: Images): boolean => {
  const description = hung.series.seriesDescription.toLowerCase();
  return (
    showsIt(shows, hung, images) &&
    (plane === '' || planeOf(hung.series) === plane) &&
    words
      .toLowerCase()
      .split(/\s+/)
      .every((word) => description.includes(word))
  );
};

const hasCondition = ({ shows, plane, words }: HangingPane): boolean => shows !== '' || plane !== '' || words !== '';

/** Returns the exact role first: "T2" without a plane before "T2 axial". */
const bestFor = (pane: HangingPane, from: readonly HungSeries[], images: Images): HungSeries | undefined => {
  const matches = from.filter((one) => meets(pane, one, images));
  const role = [pane.shows, pane.plane].filter(Boolean).join(' ');
  return matches.find((one) => roleOf(one, images) === role) ?? matches[0];
};

/** Layout of a rule, and the layouts that the shape of the space may choose instead. */
const spaceOf = ({ layout, panes }: HangingRule, alone: Hanging): Pick<Hanging, 'layout' | 'shapes'> => {
  if (layout) return { layout };
  if (panes.length === 0) return { layout: alone.layout, shapes: alone.shapes };
  const wide = layoutFor(panes.length);
  return { layout: wide, shapes: shapesOf(wide) };
};

/** Puts series into the viewports of a rule. Viewports without conditions, or without their series, take the next. */
const arrange = (rule: HangingRule, alone: Hanging, images: Images, isPriorAt: (pane: number) => boolean): Hanging => {
  const space = spaceOf(rule, alone);
  if (rule.panes.length === 0 && space.layout === alone.layout) return { ...alone, shapes: undefined, ...space };
  const all = alone.panes.filter((one) => one !== undefined);
  const remaining = [...all];
  const chosen = rule.panes.map((pane, at) => {
    if (isPriorAt(at) || !hasCondition(pane)) return undefined;
    const best = bestFor(pane, remaining, images);
    // If the rule names a series for two viewports, both show it.
    if (!best) return bestFor(pane, all, images);
    return remaining.splice(remaining.indexOf(best), 1)[0];
  });
  const panes = Array.from({ length: panesOf(space.layout) }, (_, at) =>
    isPriorAt(at) ? undefined : (chosen[at] ?? remaining.shift()),
  );
  return { name: alone.name, ...space, panes: [...panes, ...remaining] };
};

/**
 * Returns, for each viewport of a rule that shows the prior, the series of the study whose counterpart in the prior it
 * shows.
 */
const priorPanesOf = ({ panes }: HangingRule, { layout, panes: hung }: Hanging, images: Images) => {
  const all = hung.filter((one) => one !== undefined);
  const current = hung.slice(0, panesOf(layout)).filter((one) => one !== undefined);
  let next = 0;
  return panes.map((pane) => {
    if (!pane.isPrior) return undefined;
    const counterpart = current[next];
    next += 1;
    return hasCondition(pane) ? bestFor(pane, all, images) : counterpart;
  });
};

/**
 * Returns a grid of the viewports of a study and as many viewports of its prior, row by row. `at` is the index of the
 * viewport in the study, and `isPrior` says that the cell shows the prior instead. Undefined if the viewer has no such
 * layout.
 */
export const gridWithPrior = (
  base: Layout,
  place: 'beside' | 'below',
): { layout: Layout; cells: readonly { at: number; isPrior: boolean }[] } | undefined => {
  const layout = layoutWithPrior(base, place);
  if (!layout) return undefined;
  const { rows, columns } = sizeOf(layout);
  const own = sizeOf(base);
  const cells = Array.from({ length: rows * columns }, (_, cell) => {
    const [row, column] = [Math.floor(cell / columns), cell % columns];
    return {
      at: (row % own.rows) * own.columns + (column % own.columns),
      isPrior: row >= own.rows || column >= own.columns,
    };
  });
  return { layout, cells };
};

/** Adds the viewports of the prior to a hanging. Unchanged if the viewer has no such layout. */
const join = (hanging: Hanging, place: 'beside' | 'below'): Hanging => {
  const count = panesOf(hanging.layout);
  const grid = [hanging.layout, ...(hanging.shapes ?? [])]
    .filter((base) => panesOf(base) >= count)
    .map((base) => gridWithPrior(base, place))
    .find((one) => one !== undefined);
  if (!grid) return hanging;
  const { layout, cells } = grid;
  const used = cells.length / 2;
  return {
    ...hanging,
    layout,
    shapes: undefined,
    panes: [...cells.map(({ at, isPrior }) => (isPrior ? undefined : hanging.panes[at])), ...hanging.panes.slice(used)],
    priorPanes: cells.map(({ at, isPrior }) => (isPrior ? hanging.panes[at] : undefined)),
  };
};

const joinInSpace = (rule: HangingRule, hanging: Hanging): Hanging => {
  if (!rule.layout || rule.layout === '1x1') return withPrior(hanging);
  const below = join(hanging, 'below');
  return below.priorPanes ? below : join(hanging, 'beside');
};

/** Hangs a study by a rule. The built-in hanging decides everything that the rule leaves open. */
export const hangByRule = (rule: HangingRule, study: HangingStudy, images: Images, hasPrior = false): Hanging => {
  const place = hasPrior ? rule.prior : 'never';
  const isPriorAt = (pane: number) => place === 'panes' && rule.panes[pane]?.isPrior === true;
  const alone = hangAlone(study, images, place !== 'never' && place !== 'panes');
  const arranged = arrange(rule, alone, images, isPriorAt);
  const { window } = rule;
  const current: Hanging = window
    ? { ...arranged, panes: arranged.panes.map((one) => one && { ...one, window }) }
    : arranged;
  const hung =
    place === 'beside' || place === 'below'
      ? join(current, place)
      : place === 'space'
        ? joinInSpace(rule, current)
        : place === 'panes'
          ? { ...current, priorPanes: priorPanesOf(rule, current, images) }
          : current;
  return { ...hung, name: hungByText(rule), rule };
};
