import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { usePreference } from '#core/state/preferences.ts';
import { loadOnDemand } from '#ui/feedback/on-demand.tsx';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { useIsPhone } from '#reading/viewer/engine/handheld.ts';
import { holdsFrame, activateTool } from '#reading/viewer/engine/tools/tools.ts';
import { useViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import { neighborPane } from '#reading/viewer/hanging/layouts.ts';
import { isCine } from '#reading/viewer/images/cine/clips.ts';
import { useMeasurements } from '#reading/viewer/measuring/use-measurements.ts';
import type { ViewerProps } from '#reading/viewer/viewer-modes.ts';
import { takeStackPicture } from '#reading/viewer/pictures/capture-on-demand.ts';
import { usePresentations } from '#reading/viewer/presentation-states/use-presentations.ts';
import { StackControls } from '#reading/viewer/shell/stack-controls.tsx';
import { keysBetweenPanes } from '#reading/viewer/shell/keyboard.ts';
import { ViewerFrame } from '#reading/viewer/shell/viewer-frame.tsx';
import { ClipGrid } from './clip-grid.tsx';
import { ClipStrip } from './clip-strip.tsx';
import { CineControls } from './cine-controls.tsx';
import { LayoutPicker } from './layout-picker.tsx';
import { NoClips } from './no-clips.tsx';
import { layoutAfter, layoutNames, layouts } from './clip-layouts.ts';
import { firstTool, offered } from './ultrasound-tools.ts';
import styles from './ultrasound-viewer.module.css';
import { useClipPanes } from './use-clip-panes.ts';
import { useClips } from './use-clips.ts';
import { useGoToFrame } from './use-go-to-frame.ts';

const PresentationMenu = loadOnDemand(
  async () => (await import('#reading/viewer/presentation-states/presentation-menu.tsx')).PresentationMenu,
);

/** Shortcut for the next presentation state. The comma of the standard viewer steps through frames. */
const presentationKeys = '= p';

/** Returns whether the device is set to reduced motion. */
const wantsStillness = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Viewer for the clips of an ultrasound study. They play as soon as they are loaded. */
export function UltrasoundViewer({ study, report, seriesMenu }: ViewerProps) {
  const viewBox = useViewBox(study.studyInstanceUID);
  const [preferred, setLayout] = usePreference('viewer-ultrasound-layout', layoutNames);
  const isSmall = useIsPhone();
  const layout = isSmall ? 'one' : preferred;
  const clipQuery = useClips(study);
  const panes = useClipPanes(clipQuery.clips, layouts[layout].across ** 2);
  const [tool, setTool] = useState(firstTool);
  const [playsAtOnce, setPlaysAtOnce] = useState(() => !wantsStillness());
  const measured = useMeasurements(study, viewBox);
  const presentations = usePresentations();
  const goTo = useGoToFrame(study, clipQuery.clips, panes);
  const view = panes.now?.view;
  const series = study.series.find(({ seriesInstanceUID }) => seriesInstanceUID === panes.now?.clip.seriesInstanceUID);

  useShortcuts(
    t`Viewports`,
    keysBetweenPanes((way) => panes.enter(neighborPane(layouts[layout].grid, panes.current, way))),
  );

  useEffect(() => {
    if (viewBox) activateTool(viewBox.tools, tool);
  }, [viewBox, tool]);

  return (
    <ViewerFrame
      study={study}
      report={report}
      measured={measured}
      onGoTo={goTo}
      onTakePicture={() => takeStackPicture(view, series && { study, series }, presentations.of(view))}
      controls={(beside) => (
        <StackControls
          key={view?.viewport.id}
          {...beside}
          view={view}
          tool={tool}
          onTool={setTool}
          offered={offered}
          onStep={panes.step}
          stepsThrough="clip"
          layoutPicker={
            <>
              {series && study.series.some(({ modality }) => modality === 'PR') && (
                <PresentationMenu
                  {...{ study, series, view }}
                  keys={presentationKeys}
                  chosen={presentations.of(view)}
                  onChoose={(state) => view && presentations.choose(view, state)}
                />
              )}
              {!isSmall && <LayoutPicker layout={layout} onLayout={setLayout} />}
            </>
          }
          onNextLayout={() => setLayout(layoutAfter(layout))}
          cineControls={null}
        />
      )}
    >
      {clipQuery.clips.length > 0 && !clipQuery.isPending ? (
        <>
          <ClipStrip
            study={study}
            clips={clipQuery.clips}
            panes={panes}
            clipQuery={clipQuery}
            menuFor={seriesMenu && (({ seriesInstanceUID, key }) => seriesMenu(study, seriesInstanceUID, () => key))}
          />
          <div className={styles.clips}>
            <ClipGrid
              viewBox={viewBox}
              study={study}
              clips={clipQuery.clips}
              panes={panes}
              layout={layout}
              playsAtOnce={playsAtOnce}
              isDrawing={holdsFrame(tool)}
              presentations={presentations}
            />
            {panes.now && isCine(panes.now.clip) && (
              <CineControls
                activeClip={panes.now}
                players={panes.players}
                note={!playsAtOnce && wantsStillness() ? t`Paused: reduced motion is on for this device` : ''}
                onPlaysAtOnce={setPlaysAtOnce}
              />
            )}
          </div>
        </>
      ) : (
        <NoClips studyId={study.id} clipQuery={clipQuery} />
      )}
    </ViewerFrame>
  );
}
