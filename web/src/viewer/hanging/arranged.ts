import type { StudyDetails } from '@radwork/contract/studies';
import { readPreference, readRememberedText } from '#core/preferences.ts';
import { readSession } from '#core/session.ts';
import { isDocuments, isShowable } from '#viewer/images/series-kinds.ts';
import type { SeriesImage } from '#viewer/images/series-loader.ts';
import { hang, type Hanging, type HangingStudy, hangKept, kindOf } from './hanging.ts';
import { nameOfKept, readRemembered } from './kept-layouts.ts';
import { layoutNames } from './layouts.ts';

/** How somebody has pictures arranged: the names of what is remembered, and what they can be. */
export const arranging = {
  automatic: ['viewer-hanging', ['on', 'off']],
  lastLayout: ['viewer-layout', layoutNames],
} as const;

/** For which kind of study a layout is kept. */
export const keptFor = (study: HangingStudy): string => kindOf(study).name || 'other';

/** A study as hanging asks of it. */
export const asHangingStudy = (study: StudyDetails): HangingStudy => ({
  series: study.series,
  description: study.studyDescription || study.description,
});

const documentsOnly = ({ series }: StudyDetails): Hanging => ({
  name: 'Documents, one at a time',
  layout: '1x1',
  panes: series.filter(isDocuments).map((one) => ({ series: one, start: 0 })),
});

/** How a study stands when it is opened, given the images of the series whose headers decide. */
export const arranged = (study: StudyDetails, images: ReadonlyMap<string, readonly SeriesImage[]>): Hanging => {
  if (!study.series.some(isShowable)) return documentsOnly(study);
  if (readPreference(...arranging.automatic) === 'off') {
    const panes = study.series.filter(isShowable).map((series) => ({ series, start: 0 }));
    return { name: 'Series in their order', layout: readPreference(...arranging.lastLayout), panes };
  }
  const asked = asHangingStudy(study);
  const kept = readRemembered(readRememberedText(nameOfKept(readSession()?.user.id ?? ''))).kept[keptFor(asked)];
  const byRule = hang(asked, images);
  return kept ? hangKept(kept, byRule, images) : byRule;
};
