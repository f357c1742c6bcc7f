import { t } from '@lingui/core/macro';
import type { Measurement } from '@radwork/contract/reading/measurements';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { usePreference } from '#core/state/preferences.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { PaneSwitch } from '#ui/layout/pane-switch.tsx';
import { hasWebGl } from '#reading/viewer/engine/loading/start-imaging.ts';
import { useFewerImages } from '#reading/viewer/images/series/use-fewer-images.ts';
import { MeasurementPanel } from '#reading/viewer/measuring/measurement-panel.tsx';
import { AnnotationText } from '#reading/viewer/measuring/annotation-text.tsx';
import type { Measurements } from '#reading/viewer/measuring/use-measurements.ts';
import { addresses, labels, type ViewerProps } from '#reading/viewer/viewer-modes.ts';
import type { CaptureResult } from '#reading/viewer/pictures/picture.ts';
import { useSavePicture } from '#reading/viewer/pictures/use-save-picture.tsx';
import type { ImagePlace } from '#reading/viewer/standard/hanging/use-go-to-image.ts';
import { PatientBanner } from './patient-banner.tsx';
import { ReportPane } from './report-pane.tsx';
import { useReportPane } from './use-report-beside.ts';
import type { PanelControls } from './viewer-bar-props.ts';
import styles from './viewer-frame.module.css';

const panesInFront = [
  ['images', t`Images`],
  ['report', t`Report`],
] as const;

type Props = ViewerProps & {
  measured: Measurements;
  onGoTo: (place: ImagePlace) => void;
  /** Shows a measurement in a volume. Default: opens the viewer that can draw it. */
  onGoToPoint?: ((one: Measurement) => void) | undefined;
  /** Returns the reason why a measurement is not drawn in this viewer. */
  reasonAgainst?: (one: Measurement) => string | undefined;
  /** Captures the current pane as a picture, or returns the reason why this is not possible. */
  onTakePicture?: () => Promise<CaptureResult>;
  /** Whether the viewer requires WebGL. If WebGL is missing, a message replaces the images. */
  needsWebGl?: boolean;
  /** Content next to the measurements. */
  besideMeasurements?: ReactNode;
  /** Renders the toolbar, with functions for the panels. */
  controls: (beside: PanelControls) => ReactNode;
  /** Images, and the strip from which to choose them. */
  children: ReactNode;
};

/** Frame of all viewers: patient, toolbar, images, measurements, report. */
export function ViewerFrame(props: Props) {
  const { study, report, measured, onGoTo, onGoToPoint, reasonAgainst, needsWebGl = false, controls, children } = props;
  const { besideMeasurements, onTakePicture } = props;
  useFewerImages(study);
  const openElsewhere = useOpenElsewhere(study.id);
  const { onPicture, dialog } = useSavePicture(onTakePicture);
  const reportBeside = useReportPane(report !== undefined);
  const [measurementsPreference, setMeasurementsPreference] = usePreference('viewer-measurements', ['closed', 'open']);
  const isListOpen = measurementsPreference === 'open';
  return (
    <div className={styles.viewer}>
      <PatientBanner study={study} />
      {controls({
        isListOpen,
        onMeasurements: () => setMeasurementsPreference(isListOpen ? 'closed' : 'open'),
        canUndo: measured.canUndo,
        onUndo: measured.undo,
        ...(onPicture && { onPicture }),
        ...(report && { isReportOpen: reportBeside.isOpen, onReport: reportBeside.toggle }),
      })}
      {report && (
        <div className={styles.switch}>
          <PaneSwitch
            panes={panesInFront}
            current={reportBeside.isOpen ? 'report' : 'images'}
            onPane={(name) => reportBeside.show(name === 'report')}
          />
        </div>
      )}
      {!needsWebGl && !hasWebGl() && (
        <Notice tone="warning">
          {t`This browser does not support WebGL. Images are drawn slowly, without the graphics card.`}
        </Notice>
      )}
      <div className={styles.room} data-report={reportBeside.isOpen ? 'open' : 'closed'}>
        {children}
        <AnnotationText />
        {dialog}
        {isListOpen && (
          <MeasurementPanel
            studyId={study.id}
            series={study.series}
            measured={measured}
            onGoTo={onGoTo}
            onGoToPoint={onGoToPoint ?? openElsewhere}
            opensIn={onGoToPoint ? undefined : (one) => labels[viewerOf(one)]}
            reasonAgainst={reasonAgainst}
          >
            {besideMeasurements}
          </MeasurementPanel>
        )}
        {report && reportBeside.isWanted && <ReportPane isOpen={reportBeside.isOpen}>{report(study.id)}</ReportPane>}
      </div>
    </div>
  );
}

/** Returns the viewer that draws a measurement in a volume: fusion for spheres, MPR for all other measurements. */
const viewerOf = ({ tool }: Measurement) => (tool === 'SPHERE' ? 'fusion' : 'mpr');

/** Opens a measurement in a volume in the viewer that can draw it. */
const useOpenElsewhere = (studyId: string) => {
  const navigate = useNavigate();
  return (one: Measurement) =>
    viewerOf(one) === 'fusion'
      ? void navigate({ to: addresses.fusion, params: { id: studyId } })
      : void navigate({
          to: addresses.mpr,
          params: { id: studyId, series: one.seriesInstanceUID },
          search: { measurement: one.id },
        });
};
