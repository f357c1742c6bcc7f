import { t } from '@lingui/core/macro';
import { studies } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { query } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { toast } from '#core/browser/toasts.ts';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import { firstImageNextTo } from '#reading/viewer/images/geometry/linked-slices.ts';
import { seriesImages } from '#reading/viewer/images/series/series-loader.ts';
import { imageLike, seriesToRead } from '#reading/viewer/hanging/hanging.ts';
import { asHangingStudy } from '#reading/viewer/hanging/initial-hanging.ts';
import type { DraggedSeries } from '#reading/viewer/shell/dragged-series.ts';
import { drawnSlice, slicesOf } from '#reading/viewer/standard/hanging/stack-links.ts';
import { contentOf, type PaneContent } from '#reading/viewer/standard/panes/pane-content.ts';
import { priorsOf } from '#reading/viewer/standard/hanging/priors-query.ts';
import { priorToCompare, seriesToCompare } from './prior-choice.ts';

/** Whether two studies belong to the same patient. Studies of different patients are never shown together. */
export const isOfSamePatient = (study: StudyDetails, other: StudyDetails): boolean =>
  study.patient.id === other.patient.id;

/** Returns the other studies of the patient: their list, and details on demand. */
export const usePatientPriors = (study: StudyDetails) => {
  const client = useQueryClient();
  const list = useQuery({
    ...priorsOf(study.id),
    enabled: may(studies.priors),
  });
  const [isFetching, setFetching] = useState(false);
  const isThere = useRef(true);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);

  const known = (studyId: string): StudyDetails | undefined => {
    if (studyId === study.id) return study;
    const { queryKey } = query(studies.get, { params: { id: studyId } });
    const cached = client.getQueryData<StudyDetails>(queryKey);
    return cached && isOfSamePatient(study, cached) ? cached : undefined;
  };

  /** Returns the content dropped on a pane. Undefined if the page does not know the series. */
  const dropped = ({ studyId, seriesInstanceUID }: DraggedSeries): PaneContent | undefined => {
    const owner = known(studyId);
    const series = owner?.series.find((one) => one.seriesInstanceUID === seriesInstanceUID);
    return owner && series && contentOf(owner, series);
  };

  /**
   * Returns the image of a prior that has the same side and view as the shown mammogram. Undefined for other
   * modalities.
   */
  const sameView = async (content: PaneContent, view: View | undefined, other: StudyDetails) => {
    const header = view?.images[view.viewport.getCurrentImageIdIndex()]?.header;
    if (!header || content.series.modality !== 'MG') return undefined;
    const seriesList = seriesToRead(asHangingStudy(other));
    const read = seriesList.map(
      async ({ seriesInstanceUID: uid }) =>
        [uid, await client.fetchQuery(seriesImages(other.studyInstanceUID, uid))] as const,
    );
    const match = imageLike(header, seriesList, new Map(await Promise.all(read)));
    return match && { ...match, study: other };
  };

  /**
   * Returns the series of a prior to show beside a pane. For a mammogram, it has the same side and view. Otherwise it
   * is the most similar series, starting at the same body position.
   */
  const beside = async (content: PaneContent | undefined, view: View | undefined, other: StudyDetails) => {
    const series = isOfSamePatient(study, other) ? seriesToCompare(content?.series, other.series) : undefined;
    if (!series) return undefined;
    const match = content && (await sameView(content, view, other));
    if (match) return match;
    const images = await client.fetchQuery(seriesImages(other.studyInstanceUID, series.seriesInstanceUID));
    const start = view ? firstImageNextTo(slicesOf(view.images), drawnSlice(view)?.index ?? 0, slicesOf(images)) : 0;
    return { ...contentOf(other, series), start };
  };

  /** Fetches the prior to compare, then calls back with the content for a pane. */
  const compare = async (
    content: PaneContent | undefined,
    view: View | undefined,
    onFound: (content: PaneContent) => void,
  ) => {
    if (isFetching || !list.data) return;
    const prior = priorToCompare(study, list.data);
    if (!prior) {
      toast.info(t`This patient has no other study of the same modality`);
      return;
    }
    setFetching(true);
    const details = await client
      .fetchQuery(query(studies.get, { params: { id: prior.id } }))
      .then((other) => beside(content, view, other))
      .catch(() => undefined);
    if (!isThere.current) return;
    setFetching(false);
    if (details) onFound(details);
    else toast.failure(t`The prior study could not be loaded`);
  };

  return { list, dropped, compare, hasOne: list.data !== undefined && list.data.length > 0 };
};
