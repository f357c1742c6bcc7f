import type { Color } from '@radwork/dicom/cielab';
import type { Shutter } from '@radwork/dicom/display-shutter';
import { cssColor } from '#reading/viewer/segments/color.ts';
import type { ToScreen } from './apply-state.ts';
import styles from './presentation-layer.module.css';

/** Distance in pixels that is larger than any screen. */
const far = 20_000;
const everything = `M${-far} ${-far}H${far}V${far}H${-far}Z`;

/** `color` of the hidden area. */
type Props = { shutters: readonly Shutter[]; toScreen: ToScreen; color: Color };

/** Hides everything outside shutters (PS3.3 §C.7.6.11). */
export function Shutters({ shutters, toScreen, color }: Props) {
  if (shutters.length === 0) return null;
  return (
    <svg className={styles.layer} aria-hidden data-testid="shutter" data-picture-layer="cover">
      {shutters.map((outline, at) => {
        const corners = outline.map(toScreen).map(({ x, y }) => `${x} ${y}`);
        const hole = `${everything}M${corners.join('L')}Z`;
        // Fill and its rule are attributes, because saved pictures have no style sheet.
        return <path key={at} fill={cssColor(color)} fillRule="evenodd" d={hole} />;
      })}
    </svg>
  );
}
