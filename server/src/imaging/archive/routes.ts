import type { Place } from '@radwork/contract/core/endpoint';
import { archive } from '@radwork/contract/imaging/archive';
import { keyImages } from '@radwork/contract/reading/key-images';
import { storedFiles } from '@radwork/contract/imaging/stored-files';
import type { Context } from '#core/context.ts';
import type { Routes, ServeStream } from '#core/http/http.ts';
import type { PictureLinks } from '#core/access/signed-image-urls.ts';
import type { Session } from '#core/access/scope.ts';
import { answerBulkdata } from './retrieve/answer-bulkdata.ts';
import { answerFrames } from './retrieve/answer-frames.ts';
import { answerInstanceMetadata, answerSeriesMetadata, answerStudyMetadata } from './retrieve/answer-metadata.ts';
import { answerDelete, refuseDelete, type RemoveStudy } from './dicomweb/delete-study.ts';
import { pathParameter } from '#core/http/path-parameters.ts';
import { linkToThumbnail } from './render/thumbnail-link.ts';
import {
  renderFrames,
  renderInstance,
  renderSeries,
  renderStudy,
  thumbnailOfFrames,
  thumbnailOfInstance,
  thumbnailOfSeries,
  thumbnailOfStudy,
} from './render/answer-rendered.ts';
import { retrieveInstance, retrieveSeries, retrieveStudy } from './retrieve/retrieve-instances.ts';
import { type FindFile, renderFile } from './render/render-file.ts';
import { linkToVideo } from './render/send-video.ts';
import { answerSearch } from './search/answer-search.ts';
import { answerStore } from './store/answer-store.ts';
import { renderViewedImage, type ViewedImage } from './render/render-view.ts';
import { createUploadSlots } from './store/upload-slots.ts';
import { createWado, type Wado } from './dicomweb/wado-context.ts';

type Serve = (endpoint: Parameters<ServeStream>[1], run: Parameters<ServeStream>[2]) => void;

/** Functions that other features provide for the archive. */
type OfFeatures = {
  pictureLinks: PictureLinks;
  removeStudy: RemoveStudy;
  findFile: FindFile;
  findKeyImage: (session: Session, place: Place<typeof keyImages.picture>['params']) => Promise<ViewedImage>;
};

/**
 * Serves DICOMweb (PS3.18) for our screens and, under another prefix, with the same handlers for other software.
 * Returns a function that ends what the handlers have started.
 */
export const archiveRoutes = (
  { serveStream, serveWaiting }: Routes,
  context: Context,
  { pictureLinks, removeStudy, findFile, findKeyImage }: OfFeatures,
): (() => Promise<void>) => {
  const wado = createWado(context);
  const under =
    (...prefixes: readonly string[]): Serve =>
    (endpoint, run) => {
      for (const prefix of prefixes) serveStream(prefix, endpoint, run);
    };
  stowRoutes(under('/api/stow-rs', '/dicom-web'), context);
  qidoRoutes(under('/api/qido-rs', '/dicom-web'), wado);
  wadoRoutes(under('/api/wado-rs', '/dicom-web'), wado, pictureLinks);
  deleteRoutes(under('/api/wado-rs', '/dicom-web'), wado, removeStudy);
  serveStream('', storedFiles.rendered, (call) => renderFile(wado, call, findFile));
  serveWaiting(keyImages.picture, async (session, { params }) =>
    renderViewedImage(wado, session, await findKeyImage(session, params)),
  );
  return wado.renderer.close;
};

const stowRoutes = (serve: Serve, context: Context) => {
  const slots = createUploadSlots(context.config);
  serve(archive.store, (call) => answerStore(context, slots, call, undefined));
  serve(archive.storeInStudy, (call) => answerStore(context, slots, call, pathParameter(call.request, 'studyUid')));
};

const qidoRoutes = (serve: Serve, wado: Wado) => {
  serve(archive.searchStudies, (call) => answerSearch(wado, call, 'studies'));
  serve(archive.searchSeries, (call) => answerSearch(wado, call, 'series'));
  serve(archive.searchSeriesOfStudy, (call) => answerSearch(wado, call, 'series'));
  serve(archive.searchInstances, (call) => answerSearch(wado, call, 'instances'));
  serve(archive.searchInstancesOfStudy, (call) => answerSearch(wado, call, 'instances'));
  serve(archive.searchInstancesOfSeries, (call) => answerSearch(wado, call, 'instances'));
};

const wadoRoutes = (serve: Serve, wado: Wado, pictureLinks: PictureLinks) => {
  serve(archive.study, (call) => retrieveStudy(wado, call));
  serve(archive.series, (call) => retrieveSeries(wado, call));
  serve(archive.instance, (call) => retrieveInstance(wado, call));
  serve(archive.studyMetadata, (call) => answerStudyMetadata(wado, call));
  serve(archive.seriesMetadata, (call) => answerSeriesMetadata(wado, call));
  serve(archive.instanceMetadata, (call) => answerInstanceMetadata(wado, call));
  serve(archive.bulkdata, (call) => answerBulkdata(wado, call));
  serve(archive.frames, (call) => answerFrames(wado, call));
  serve(archive.studyRendered, (call) => renderStudy(wado, call));
  serve(archive.seriesRendered, (call) => renderSeries(wado, call));
  serve(archive.instanceRendered, (call) => renderInstance(wado, call));
  serve(archive.videoLink, (call) => linkToVideo(wado, pictureLinks, call));
  serve(archive.frameRendered, (call) => renderFrames(wado, call));
  serve(archive.studyThumbnail, (call) => thumbnailOfStudy(wado, call));
  serve(archive.studyThumbnailLink, (call) => linkToThumbnail(wado, pictureLinks, call));
  serve(archive.seriesThumbnail, (call) => thumbnailOfSeries(wado, call));
  serve(archive.instanceThumbnail, (call) => thumbnailOfInstance(wado, call));
  serve(archive.frameThumbnail, (call) => thumbnailOfFrames(wado, call));
};

const deleteRoutes = (serve: Serve, wado: Wado, removeStudy: RemoveStudy) => {
  serve(archive.deleteStudy, (call) => answerDelete(wado, removeStudy, call));
  serve(archive.deleteSeries, refuseDelete);
  serve(archive.deleteInstance, refuseDelete);
};
