import { t } from '@lingui/core/macro';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import type { HangingRule } from '@radwork/contract/reading/hanging-rules';
import { readPreference, readRememberedText } from '#core/state/preferences.ts';
import { readSession } from '#core/state/session.ts';
import { isDocuments, isShowable } from '#reading/viewer/images/series/series-kinds.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { hangByRule, ruleFor } from './hang-by-rule.ts';
import { hang, type Hanging, type HangingStudy, hangSaved, kindOf } from './hanging.ts';
import { savedLayoutsName, parseCachedLayouts } from './saved-layouts.ts';
import { layoutNames } from './layouts.ts';
import { monitorCount } from './monitors.ts';
import { cachedRules } from './use-hanging-rules.ts';

/** User preferences that affect the hanging: names and possible values. */
export const hangingPreferences = {
  automatic: ['viewer-hanging', ['on', 'off']],
  lastLayout: ['viewer-layout', layoutNames],
  prior: ['viewer-hanging-prior', ['on', 'off']],
} as const;

/** Returns the kind of study for which a layout is saved. */
export const layoutKindOf = (study: HangingStudy): string => kindOf(study).name || 'other';

/** Reduces a study to the properties that decide its hanging. */
export const asHangingStudy = (study: StudyDetails): HangingStudy => ({
  series: study.series,
  description: study.studyDescription || study.description,
});

const documentsOnly = ({ series }: StudyDetails): Hanging => ({
  name: t`Documents, one at a time`,
  layout: '1x1',
  panes: series.filter(isDocuments).map((one) => ({ series: one, start: 0 })),
});

/**
 * Returns the initial hanging of a study. `images` holds the images of the series from `seriesToRead`. With `hasPrior`,
 * the study has a prior of the same kind to hang. A saved layout comes before the rules, and they before the built-in
 * hanging.
 */
export const initialHanging = (
  study: StudyDetails,
  images: ReadonlyMap<string, readonly SeriesImage[]>,
  hasPrior = false,
  rules: readonly HangingRule[] = cachedRules(),
): Hanging => {
  if (!study.series.some(isShowable)) return documentsOnly(study);
  if (readPreference(...hangingPreferences.automatic) === 'off') {
    const panes = study.series.filter(isShowable).map((series) => ({ series, start: 0 }));
    return { name: t`Series in order`, layout: readPreference(...hangingPreferences.lastLayout), panes };
  }
  const hangingStudy = asHangingStudy(study);
  const saved = parseCachedLayouts(readRememberedText(savedLayoutsName(readSession()?.user.id ?? ''))).kept[
    layoutKindOf(hangingStudy)
  ];
  if (saved) return hangSaved(saved, hang(hangingStudy, images), images, hasPrior);
  const rule = ruleFor(rules, hangingStudy, monitorCount());
  return rule ? hangByRule(rule, hangingStudy, images, hasPrior) : hang(hangingStudy, images, hasPrior);
};
