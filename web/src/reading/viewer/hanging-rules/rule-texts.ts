import { plural, t } from '@lingui/core/macro';
import type { HangingPane, HangingRuleForm, HangingTool, PriorPlace } from '@radwork/contract/reading/hanging-rules';
import type { SavedLayout } from '#reading/viewer/hanging/hanging.ts';
import { layoutLabel } from '#reading/viewer/hanging/layouts.ts';
import { windowLabel } from '#reading/viewer/images/values/window-presets.ts';

export const priorLabels: Record<PriorPlace, string> = {
  never: t`No prior`,
  space: t`Prior beside or below, whichever fits`,
  beside: t`Prior beside`,
  below: t`Prior below`,
  panes: t`Prior in chosen viewports`,
};

export const planeLabels: Record<HangingPane['plane'], string> = {
  '': t`Any plane`,
  axial: t`Axial`,
  sagittal: t`Sagittal`,
  coronal: t`Coronal`,
};

export const scrollLabels: Record<HangingRuleForm['linkedScroll'], string> = {
  usual: t`As set in the viewer`,
  on: t`Linked scrolling on`,
  off: t`Linked scrolling off`,
};

/** Names of the tools, as in the toolbar of the viewer. That list would load the imaging library. */
export const toolLabels: Record<HangingTool, string> = {
  window: t`Window width and level`,
  zoom: t`Zoom`,
  magnify: t`Magnifying glass`,
  pan: t`Pan`,
  scroll: t`Scroll`,
  length: t`Length`,
  angle: t`Angle`,
  cobbAngle: t`Cobb angle`,
  bidirectional: t`Bidirectional`,
  ellipse: t`Ellipse`,
  rectangle: t`Rectangle`,
  outline: t`Outline`,
  probe: t`Value at a point`,
  arrow: t`Arrow`,
  text: t`Text`,
};

/** Returns the series of a viewport, such as "T2, axial"; '' if it takes the next series. */
export const paneText = ({ shows, plane, words }: HangingPane): string =>
  [shows, plane && planeLabels[plane].toLowerCase(), words && `“${words}”`].filter(Boolean).join(', ');

/** Returns what a rule does, in one line. */
export const ruleSummary = ({ layout, prior, panes, linkedScroll, window, tool }: HangingRuleForm): string => {
  const chosen = panes.filter((pane) => paneText(pane) !== '').length;
  return [
    layout ? layoutLabel(layout) : t`Automatic layout`,
    priorLabels[prior],
    chosen > 0 && t`${plural(chosen, { one: '# viewport chosen', other: '# viewports chosen' })}`,
    linkedScroll !== 'usual' && scrollLabels[linkedScroll],
    window && t`window ${windowLabel(window)}`,
    tool && t`tool ${toolLabels[tool]}`,
  ]
    .filter(Boolean)
    .join(' · ');
};

/** Rule that leaves everything to the built-in hanging. */
export const emptyRule: HangingRuleForm = {
  modality: '',
  bodyPart: '',
  monitors: null,
  layout: null,
  prior: 'space',
  panes: [],
  linkedScroll: 'usual',
  window: null,
  tool: null,
};

export const emptyPane: HangingPane = { shows: '', plane: '', words: '', isPrior: false };

const planeNames = ['axial', 'sagittal', 'coronal'] as const;

/** Returns the viewport that shows a role of a saved layout, such as "prior T2 axial". */
const paneOfRole = (role: string): HangingPane => {
  const isPrior = role.startsWith('prior ');
  const parts = role.replace(/^prior /, '').split(' ');
  const plane = planeNames.find((name) => parts.at(-1) === name) ?? '';
  return { ...emptyPane, isPrior, plane, shows: (plane ? parts.slice(0, -1) : parts).join(' ') };
};

/** Returns the rule that hangs like a layout that the user has saved in the viewer. */
export const ruleOfSaved = (
  kind: Pick<HangingRuleForm, 'modality' | 'bodyPart'>,
  { layout, roles }: SavedLayout,
): HangingRuleForm => {
  const panes = roles.map(paneOfRole);
  return { ...emptyRule, ...kind, layout, panes, prior: panes.some(({ isPrior }) => isPrior) ? 'panes' : 'never' };
};
