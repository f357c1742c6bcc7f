import { hangingRules } from '@radwork/contract/reading/hanging-rules';
import { studies } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import type { QueryClient, QueryMeta } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { may, readSession } from '#core/state/session.ts';
import { preloadViewerScripts } from './preload-viewer-scripts.ts';
import { initialHanging, asHangingStudy } from './hanging/initial-hanging.ts';
import { seriesToRead } from './hanging/hanging.ts';
import { rulesQuery } from './hanging/use-hanging-rules.ts';
import { panesOf } from './hanging/layouts.ts';
import { priorsOf } from './standard/hanging/priors-query.ts';
import { endExpecting, expectPicture } from './images/series/first-image-wait.ts';
import { firstFrame, type FirstFrame } from './images/series/first-frame.ts';
import { type SeriesImage, seriesImages } from './images/series/series-loader.ts';
import { type Mode, modeAt } from './viewer-modes.ts';
import { viewers } from './viewers.ts';
import { firstLookOf } from './standard/opening/first-look.ts';
import { hasFullWidth } from './standard/opening/has-full-width.ts';

/** Returns whether an ID is a UID. UIDs have only digits and dots (PS3.5 §9.1); our IDs have hyphens. */
export const isUid = (id: string) => /^[\d.]+$/.test(id);

/** Loads the code of a viewer in advance. If this fails, the code loads when a study opens. */
export const fetchViewer = (mode: Mode) => void viewers[mode].fetch().catch(() => undefined);

/**
 * Fetches the data of a viewer while the application still loads the session: the study in the address and the first
 * image of each viewport. Also loads the imaging library, because it is large.
 */
export const prefetchViewerData = (client: QueryClient, pathname: string) => {
  const mode = modeAt(pathname);
  const [, , id = '', series] = pathname.split('/');
  if (!mode) return;
  if (id !== '' && readSession()) {
    const study = isUid(id)
      ? client.fetchQuery(query(studies.getByUid, { params: { studyUid: id } }))
      : client.fetchQuery(query(studies.get, { params: { id } }));
    if (mode === 'standard' && may(hangingRules.list)) void client.prefetchQuery(rulesQuery);
    if (mode === 'standard' && !isUid(id)) prefetchPriors(client, id);
    // Ignores the error, because the page fetches the study again and shows the error.
    if (mode !== 'standard' || !hasFullWidth()) study.catch(() => undefined);
    else {
      expectPicture();
      void study.then((details) => fetchFirstPictures(client, details)).catch(endExpecting);
    }
    if (mode === 'mpr' && hasFullWidth()) expectPicture();
    if (mode === 'mpr' || mode === 'fusion') void prefetchVolumes(client, mode, study, series);
  }
  // Loads while the server looks up the study, because it shows the first plane.
  if (mode === 'mpr') void import('./mpr/planes-preview.tsx').catch(() => undefined);
  fetchViewer(mode);
};

/**
 * Fetches the headers of the volumes, and the first image of MPR. If only the imaging library can draw this image, ends the
 * wait for it. The code that chooses the series loads while the server looks up the study.
 */
const prefetchVolumes = async (
  client: QueryClient,
  mode: 'mpr' | 'fusion',
  study: Promise<StudyDetails>,
  series: string | undefined,
) => {
  try {
    const [details, { prefetchVolume }] = await Promise.all([study, import('./volumes/prefetch-volume.ts')]);
    const isDrawn = await prefetchVolume(client, mode, details, series);
    if (!isDrawn) endExpecting();
  } catch {
    // The page fetches the study and the code again, and shows the error.
    endExpecting();
  } finally {
    // Loads these scripts only after the first image, as for the standard viewer.
    if (mode === 'mpr') preloadViewerScripts();
  }
};

/** Fetches the list of priors, because the hanging of a study waits for it. */
const prefetchPriors = (client: QueryClient, studyId: string, meta?: QueryMeta) => {
  if (may(studies.priors)) void client.prefetchQuery({ ...priorsOf(studyId), ...(meta && { meta }) });
};

/**
 * Fetches the first image of each viewport. If only the imaging library can draw these images, ends the wait for a
 * first image.
 */
const fetchFirstPictures = async (client: QueryClient, study: StudyDetails) => {
  const frames = await prefetchPictures(client, study);
  if (frames.every((frame) => frame === null)) endExpecting();
};

/**
 * Fetches the images of a study that open first, one for each viewport: the lists of their series and the first frames.
 * A frame is null if only the imaging library can draw it.
 * @param meta `inAdvance` for a study that the reader has not opened.
 */
export const prefetchPictures = async (
  client: QueryClient,
  study: StudyDetails,
  meta?: QueryMeta,
): Promise<readonly (FirstFrame | null)[]> => {
  prefetchPriors(client, study.id, meta);
  const marked = <O extends object>(options: O) => ({ ...options, ...(meta && { meta }) });
  const imagesOf = (seriesUid: string) => client.fetchQuery(marked(seriesImages(study.studyInstanceUID, seriesUid)));
  const read = seriesToRead(asHangingStudy(study)).map(
    async ({ seriesInstanceUID: uid }): Promise<[string, SeriesImage[]]> => [uid, await imagesOf(uid)],
  );
  const { layout, panes } = initialHanging(study, new Map(await Promise.all(read)));
  const frames = panes.slice(0, panesOf(layout)).map(async (hung) => {
    if (!hung) return null;
    const look = firstLookOf(hung, await imagesOf(hung.series.seriesInstanceUID));
    const frame = look ? client.fetchQuery(marked(firstFrame(look.image))) : Promise.resolve(null);
    // Loads these scripts only after the first image, because they take its connections and the processor.
    return frame.finally(preloadViewerScripts);
  });
  return Promise.all(frames);
};
