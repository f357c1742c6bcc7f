import { type StudyDetails, studies } from '@radwork/contract/imaging/studies';
import type { QueryClient } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { readSession } from '#core/state/session.ts';
import { preloadViewerScripts } from './preload-viewer-scripts.ts';
import { initialHanging, asHangingStudy } from './hanging/initial-hanging.ts';
import { seriesToRead } from './hanging/hanging.ts';
import { panesOf } from './hanging/layouts.ts';
import { endExpecting, expectPicture } from './images/series/first-image-wait.ts';
import { firstFrame } from './images/series/first-frame.ts';
import { type SeriesImage, seriesImages } from './images/series/series-loader.ts';
import { type Mode, modeAt } from './viewer-modes.ts';
import { viewers } from './viewers.ts';
import { firstLookOf } from './standard/opening/first-look.ts';
import { hasFullWidth } from './standard/opening/has-full-width.ts';

/** Tells a UID, of digits and dots (PS3.5 §9.1), from our IDs, which have hyphens. */
export const isUid = (id: string) => /^[\d.]+$/.test(id);

/** Loads the code of a viewer ahead. A failed load is tried again when a study opens. */
export const fetchViewer = (mode: Mode) => void viewers[mode].fetch().catch(() => undefined);

/**
 * Fetches the data of a viewer while the application still loads the session. These are the study in the address, the
 * first image of each viewport, and the imaging library, which is large.
 */
export const prefetchViewerData = (client: QueryClient, pathname: string) => {
  const mode = modeAt(pathname);
  const [, , id = ''] = pathname.split('/');
  if (!mode) return;
  if (id !== '' && readSession()) {
    const study = isUid(id)
      ? client.fetchQuery(query(studies.getByUid, { params: { studyUid: id } }))
      : client.fetchQuery(query(studies.get, { params: { id } }));
    // The page asks again and shows the error.
    if (mode !== 'standard' || !hasFullWidth()) study.catch(() => undefined);
    else {
      expectPicture();
      void study.then((found) => fetchFirstPictures(client, found)).catch(endExpecting);
    }
  }
  fetchViewer(mode);
};

/**
 * Fetches the first image of each viewport. Stops the wait for a first image if the imaging library must draw them all.
 */
const fetchFirstPictures = async (client: QueryClient, study: StudyDetails) => {
  const imagesOf = (seriesUid: string) => client.fetchQuery(seriesImages(study.studyInstanceUID, seriesUid));
  const read = seriesToRead(asHangingStudy(study)).map(
    async ({ seriesInstanceUID: uid }): Promise<[string, SeriesImage[]]> => [uid, await imagesOf(uid)],
  );
  const { layout, panes } = initialHanging(study, new Map(await Promise.all(read)));
  const frames = panes.slice(0, panesOf(layout)).map(async (hung) => {
    if (!hung) return null;
    const look = firstLookOf(hung, await imagesOf(hung.series.seriesInstanceUID));
    const frame = look ? client.fetchQuery(firstFrame(look.image)) : null;
    // Parsing these files takes the processor that the first image needs.
    preloadViewerScripts();
    return frame;
  });
  const found = await Promise.all(frames);
  if (found.every((frame) => frame === null)) endExpecting();
};
