import { thumbnailSize } from '@radwork/contract/imaging/archive';
import { Problem } from '#core/http/problem.ts';
import { type Scopes, systemSession } from '#core/access/scope.ts';
import type { StudyRef } from '#imaging/archive/dicomweb/stored-instances.ts';
import type { Wado } from '#imaging/archive/dicomweb/wado-context.ts';
import { renderedOptions } from '#imaging/archive/render/rendered-options.ts';
import { imageSeriesOf, representativeFrame } from '#imaging/archive/render/representative-image.ts';
import { decodable } from '#imaging/archive/render/send-rendered-image.ts';

/** Most series of a study whose thumbnails are rendered in advance. Few studies have more. */
const mostSeries = 40;

const optionsOf = (size: number) => renderedOptions({ viewport: [`${size},${size}`] }, 'image/jpeg');

/**
 * Renders the thumbnails of a study and its series, as our screens request them, into the cache. No user views them, so
 * the audit log gets no entry. `mayContinue` runs before each image; the rest is left out when it resolves with false.
 */
export const renderThumbnails = async (
  wado: Wado,
  { tenantId, studyId }: { tenantId: number; studyId: string },
  mayContinue: () => Promise<boolean>,
): Promise<void> => {
  const { study, seriesUids } = await contentsOf(wado.scopes, tenantId, studyId);
  if (!study) return;
  const wanted = [
    ...seriesUids.map((seriesUid) => ({ seriesUid, options: optionsOf(thumbnailSize.series) })),
    ...(seriesUids.length > 0 ? [{ seriesUid: undefined, options: optionsOf(thumbnailSize.study) }] : []),
  ];
  const session = systemSession(tenantId);
  for (const { seriesUid, options } of wanted) {
    if (!(await mayContinue())) return;
    const image = await wado.representativeImages.of(session, study, seriesUid);
    if (!image) continue;
    const { shown, options: shownOptions } = representativeFrame(image, options);
    try {
      await wado.renderer.picture(session, decodable(shown.instance), shown.frame, shownOptions);
    } catch (error) {
      // The image cannot be rendered. The caller who requests it learns why.
      if (!(error instanceof Problem)) throw error;
    }
  }
};

type Contents = { study: StudyRef | undefined; seriesUids: readonly string[] };

/** Returns the series with images of a study. A study in the recycle bin has none. */
const contentsOf = (scopes: Scopes, tenantId: number, studyId: string): Promise<Contents> =>
  scopes.inTenant(systemSession(tenantId), async (scope) => {
    const row = await scope.db
      .selectFrom('studies')
      .select(['id', 'patient_id', 'content_revision'])
      .where('id', '=', studyId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (!row) return { study: undefined, seriesUids: [] };
    const series = await imageSeriesOf(scope, row.id);
    return {
      study: { id: row.id, patientId: row.patient_id, contentRevision: row.content_revision },
      seriesUids: series.slice(0, mostSeries).map((one) => one.series_instance_uid),
    };
  });
