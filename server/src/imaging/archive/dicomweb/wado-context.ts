import type { Context } from '#core/context.ts';
import type { StreamCall } from '#core/http/http.ts';
import { createObjects, type Objects, type StoredInstance, type StudyRef } from './stored-instances.ts';
import { pathUid } from '#core/http/path-parameters.ts';
import { createRenderer, type Renderer } from '#imaging/archive/render/renderer.ts';
import { createRepresentativeImages, type RepresentativeImages } from '#imaging/archive/render/representative-image.ts';
import { createRetrievals, type Retrievals } from './retrieval-audit.ts';
import { createSeriesMetadata, type SeriesMetadata } from '#imaging/archive/retrieve/series-metadata.ts';

/** Services needed to serve stored instances. */
export type Wado = Pick<Context, 'blobs' | 'scopes' | 'config'> & {
  objects: Objects;
  retrievals: Retrievals;
  renderer: Renderer;
  representativeImages: RepresentativeImages;
  seriesMetadata: SeriesMetadata;
};

/** `isBackground`: renders at low priority, for work that no user waits for. */
export const createWado = (
  { blobs, scopes, config, sessions }: Pick<Context, 'blobs' | 'scopes' | 'config' | 'sessions'>,
  { isBackground = false } = {},
): Wado => {
  const objects = createObjects({ scopes, sessions });
  return {
    blobs,
    scopes,
    config,
    objects,
    retrievals: createRetrievals({ scopes }),
    renderer: createRenderer({ blobs, scopes, config }, { isBackground }),
    representativeImages: createRepresentativeImages({ scopes, objects }),
    seriesMetadata: createSeriesMetadata({ scopes }),
  };
};

/**
 * Returns the study in the path of a call and writes the retrieval to the audit log. Throws 404 when the caller may not
 * see the study.
 */
export const openStudy = async ({ objects, retrievals }: Wado, { request, session }: StreamCall): Promise<StudyRef> => {
  const study = await objects.study(session, pathUid(request, 'studyUid'));
  await retrievals.auditRetrieval(session, study);
  return study;
};

/**
 * Returns the instance in the path of a call and writes the retrieval to the audit log. Throws 404 when the caller may
 * not see the study.
 */
export const openInstance = async (wado: Wado, call: StreamCall): Promise<StoredInstance> =>
  instanceOf(wado, call, await openStudy(wado, call));

/** Returns the instance in the path of a call, in a study that the caller may see. */
export const instanceOf = ({ objects }: Wado, call: StreamCall, study: StudyRef): Promise<StoredInstance> => {
  const { request, session } = call;
  return objects.instance(session, study, pathUid(request, 'seriesUid'), pathUid(request, 'instanceUid'));
};
