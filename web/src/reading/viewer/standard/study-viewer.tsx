import { t } from '@lingui/core/macro';
import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { Link } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { dialogOnDemand, loadOnDemand, usePrefetchWhenIdle } from '#ui/feedback/on-demand.tsx';
import { viewerCommands } from '#reading/viewer/shell/viewer-commands.ts';
import { useCommands } from '#ui/keyboard/commands.ts';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { StackControls } from '#reading/viewer/shell/stack-controls.tsx';
import { isHandheld } from '#reading/viewer/engine/handheld.ts';
import { layoutAfter } from '#reading/viewer/hanging/layouts.ts';
import { PriorMeasurements } from './panes/prior-measurements.tsx';
import { takeStackPicture } from '#reading/viewer/pictures/capture-on-demand.ts';
import { PaneButtons } from './controls/pane-buttons.tsx';
import { PaneGrid } from './panes/pane-grid.tsx';
import { paneShortcuts } from './controls/pane-keys.ts';
import { type SeriesImage, sopInstanceOf } from '#reading/viewer/images/series/series-loader.ts';
import { addresses, type ViewerProps } from '#reading/viewer/viewer-modes.ts';
import { volumeFitness } from '#reading/viewer/volumes/volume-fitness.ts';
import type { Panes } from './panes/use-panes.ts';
import { PriorReportPane } from './priors/prior-report-pane.tsx';
import { PriorsStrip } from './priors/priors-strip.tsx';
import { entryKey, SeriesStrip } from '#reading/viewer/shell/series-strip.tsx';
import { ViewerFrame } from '#reading/viewer/shell/viewer-frame.tsx';
import { activateTool, holdsFrame, type ToolName, toolAfterHanging } from '#reading/viewer/engine/tools/tools.ts';
import { undoVisibly } from './hanging/undo-visibly.ts';
import { useFileLayerDisplay } from './hanging/use-file-layer-display.ts';
import { useGoToImage } from './hanging/use-go-to-image.ts';
import { useKeyImageMarking } from './controls/use-key-image-marking.ts';
import { useNamedSeries } from './hanging/use-named-series.ts';
import { LesionPanel } from '#reading/viewer/lesions/lesion-panel.tsx';
import { useRepeatedLesions } from '#reading/viewer/lesions/use-repeated-lesions.ts';
import { KeyImageList } from '#reading/viewer/key-images/key-image-list.tsx';
import { type Measurements, useMeasurements } from '#reading/viewer/measuring/use-measurements.ts';
import { usePresentations } from '#reading/viewer/presentation-states/use-presentations.ts';
import { useDoseDisplay } from '#reading/viewer/dose/dose-display.ts';
import { nextMapColors } from '#reading/viewer/scales/map-colors.tsx';
import { useSegmentDisplay } from '#reading/viewer/segments/segment-display.ts';
import { useStudyPanes } from './hanging/use-study-panes.ts';
import { useViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import { Cine } from './controls/cine.tsx';

/** Loads only for studies with presentation states, because its code includes the DICOM dictionary. */
const PresentationMenu = loadOnDemand(
  async () => (await import('#reading/viewer/presentation-states/presentation-menu.tsx')).PresentationMenu,
);
const SegmentPanel = loadOnDemand(
  async () => (await import('#reading/viewer/segments/segment-panel.tsx')).SegmentPanel,
);

const TagBrowser = dialogOnDemand(async () => (await import('./controls/tag-browser.tsx')).TagBrowser);

const DosePanel = loadOnDemand(async () => (await import('#reading/viewer/dose/dose-panel.tsx')).DosePanel);

/** Returns a function that renders the link to MPR for a series that can form a volume. */
const cuttingOf = (study: StudyDetails) => (series: SeriesSummary, images: readonly SeriesImage[]) => {
  const name = series.seriesDescription;
  return (
    volumeFitness(images).isFit && (
      <Link
        to={addresses.mpr}
        params={{ id: study.id, series: series.seriesInstanceUID }}
        aria-label={name ? t`MPR of ${name}` : t`MPR of this series`}
      >
        {t`MPR`}
      </Link>
    )
  );
};

/** Returns the SOP Instance UID of the image in the current pane, if it belongs to the series. */
const shownImageOf = ({ view, contents, current }: Panes, seriesInstanceUID: string): string | undefined => {
  if (!view || contents[current]?.series.seriesInstanceUID !== seriesInstanceUID) return undefined;
  const shownId = view.viewport.getCurrentImageId();
  return view.images.some(({ imageId }) => imageId === shownId) ? sopInstanceOf(shownId) : undefined;
};

/** Standard viewer: patient banner, toolbar, series and images. */
export function StudyViewer({ study, report, priorReport, seriesMenu }: ViewerProps) {
  const viewBox = useViewBox(study.studyInstanceUID);
  const studyPanes = useStudyPanes(study);
  const { hanging, panes, links, priors, others } = studyPanes;
  const { view, contents, current } = panes;
  const currentContent = contents[current];
  const presentations = usePresentations();
  const [chosenTool, setTool] = useState<ToolName>();
  const tool = chosenTool ?? toolAfterHanging(hanging.hanging?.rule?.tool, isHandheld());
  const [readPriorId, setReadPriorId] = useState<string>();
  // The report closes if its study is no longer a prior, for example after a move to another patient.
  const readPrior = priors.list.data?.find(({ id }) => id === readPriorId);
  const [areTagsOpen, setTagsOpen] = useState(false);
  usePrefetchWhenIdle(TagBrowser);

  const measured = useMeasurements(study, viewBox);
  const ofPriors = useMeasuredInPriors();
  const inHand = ofPriors.of(currentContent?.study.id) ?? measured;
  const goTo = useGoToImage(study, studyPanes);
  useNamedSeries(study, panes);
  const marking = useKeyImageMarking(study, panes, goTo, presentations);
  const segments = useSegmentDisplay(study);
  const dose = useDoseDisplay(study);
  const layers = useFileLayerDisplay(panes.views);
  const inCurrent = useInCurrent(panes);
  const repeating = useRepeatedLesions({
    study,
    content: currentContent,
    measured,
    tool,
    onGoTo: goTo,
    onTool: setTool,
  });
  const cutting = useMemo(() => cuttingOf(study), [study]);

  useEffect(() => {
    if (viewBox) activateTool(viewBox.tools, tool);
  }, [viewBox, tool]);

  const hands = { ...studyPanes.hands, onTags: () => setTagsOpen(true), onKeyImage: marking.markShown };
  const hasPriors = (priors.list.data?.length ?? 0) > 0;
  useCommands([{ command: viewerCommands.prior, run: hasPriors ? studyPanes.hands.onCompare : undefined }]);
  const onSegments = segments.hasAny ? segments.toggle : undefined;
  useShortcuts(
    t`Viewports`,
    paneShortcuts({
      ...hands,
      onSegments,
      onDose: dose.hasAny ? dose.toggle : undefined,
      onColors: layers.hasScale ? nextMapColors : undefined,
      onLayers: layers.hasAny || layers.hasScale || dose.isOn ? layers.toggle : undefined,
      layout: hanging.layout,
      current,
    }),
  );

  const inPanes = {
    shown: contents.flatMap((content) => (content ? entryKey(content.series, content.part) : [])),
    current: currentContent && entryKey(currentContent.series, currentContent.part),
  };
  return (
    <ViewerFrame
      study={study}
      report={report}
      measured={measured}
      onGoTo={goTo}
      onTakePicture={() => takeStackPicture(view, contents[current], presentations.of(view))}
      besideMeasurements={
        <>
          <LesionPanel studyId={study.id} measured={measured.list.data} repeating={repeating} />
          <KeyImageList study={study} marked={marking} onGoTo={goTo} />
          {segments.hasAny && <SegmentPanel study={study} display={segments} current={inCurrent} onGoTo={goTo} />}
          {dose.hasAny && <DosePanel study={study} display={dose} />}
        </>
      }
      controls={(beside) => (
        <StackControls
          key={view?.viewport.id}
          {...beside}
          canUndo={inHand.canUndo}
          onUndo={() =>
            undoVisibly(inHand, { study: currentContent?.study ?? study, views: panes.views, onGoTo: goTo })
          }
          view={view}
          tool={tool}
          onTool={setTool}
          onStep={panes.step}
          layoutPicker={
            <>
              {currentContent?.study.series.some(({ modality }) => modality === 'PR') && (
                <PresentationMenu
                  {...{ study: currentContent.study, series: currentContent.series, view }}
                  chosen={presentations.of(view)}
                  onChoose={(state) => view && presentations.choose(view, state)}
                />
              )}
              <PaneButtons
                {...hands}
                {...{ hanging, links, view, marking, segments, dose, layers }}
                hasPriors={priors.hasOne}
                onKeep={studyPanes.keep}
              />
            </>
          }
          onNextLayout={() => hanging.setLayout(layoutAfter(hanging.layout))}
          cineControls={
            view && view.images.length > 1 && <Cine key={view.viewport.id} view={view} isDrawing={holdsFrame(tool)} />
          }
        />
      )}
    >
      <SeriesStrip
        studyUid={study.studyInstanceUID}
        studyId={study.id}
        series={study.series}
        {...inPanes}
        onChoose={(series, part) => panes.choose(study, series, part)}
        opensDocuments
        actionFor={cutting}
        menuFor={seriesMenu && (({ seriesInstanceUID: uid }) => seriesMenu(study, uid, () => shownImageOf(panes, uid)))}
      >
        <PriorsStrip
          study={study}
          list={priors.list}
          inPanes={others.map(({ id }) => id)}
          {...inPanes}
          onChoose={panes.choose}
          onReport={priorReport && setReadPriorId}
        />
      </SeriesStrip>
      <PaneGrid
        viewBox={viewBox}
        study={study}
        panes={panes}
        layout={hanging.layout}
        spaceRef={studyPanes.spaceRef}
        priorStateOf={hanging.priorStateOf}
        isArranging={hanging.isWaiting}
        isLinked={links.scroll.isOn}
        hasLines={links.lines.isOn}
        onDrop={studyPanes.drop}
        onGoTo={goTo}
        presentations={presentations}
        keyImages={marking.list.data}
        segments={segments}
        dose={dose}
        areLayersHidden={layers.areHidden}
      />
      {others.map((other) => (
        <PriorMeasurements key={other.id} study={other} viewBox={viewBox} onMeasured={ofPriors.note} />
      ))}
      {readPrior && priorReport && (
        <PriorReportPane study={study} prior={readPrior} onClose={() => setReadPriorId(undefined)}>
          {priorReport(readPrior.id)}
        </PriorReportPane>
      )}
      <TagBrowser opened={areTagsOpen} view={view} onClose={() => setTagsOpen(false)} />
    </ViewerFrame>
  );
}

/**
 * Returns the view, study and series of the current pane. The object stays the same between renders until one of them
 * changes.
 */
const useInCurrent = ({ view, contents, current }: Panes) => {
  const content = contents[current];
  const { study, series } = content ?? {};
  return useMemo(() => (view && study && series ? { view, study, series } : undefined), [view, study, series]);
};

/** Holds the measurements of the priors in panes, by study ID. */
const useMeasuredInPriors = () => {
  const [measured, setMeasured] = useState<ReadonlyMap<string, Measurements>>(new Map());
  const note = useCallback((studyId: string, measurements: Measurements | undefined) => {
    setMeasured((before) => {
      const after = new Map(before);
      if (measurements) after.set(studyId, measurements);
      else after.delete(studyId);
      return after;
    });
  }, []);
  return { note, of: (studyId: string | undefined) => (studyId === undefined ? undefined : measured.get(studyId)) };
};
