import type { Shutter } from '@radwork/dicom/display-shutter';
import type { ToScreen } from './apply-state.ts';
import styles from './presentation-layer.module.css';

/** Distance in pixels that is larger than any screen. */
const far = 20_000;
const everything = `M${-far} ${-far}H${far}V${far}H${-far}Z`;

/** `gray` of the hidden area, 0 to 255. */
type Props = { shutters: readonly Shutter[]; toScreen: ToScreen; gray?: number };

/** Hides everything outside shutters (PS3.3 §C.7.6.11). */
export function Shutters({ shutters, toScreen, gray = 0 }: Props) {
  if (shutters.length === 0) return null;
  return (
    <svg className={styles.layer} aria-hidden data-testid="shutter" data-picture-layer="cover">
      {shutters.map((outline, at) => {
        const corners = outline.map(toScreen).map(({ x, y }) => `${x} ${y}`);
        const hole = `${everything}M${corners.join('L')}Z`;
        // Fill and its rule are attributes, because saved pictures have no style sheet.
        return <path key={at} fill={`rgb(${gray} ${gray} ${gray})`} fillRule="evenodd" d={hole} />;
      })}
    </svg>
  );
}
