import { getEnabledElement, type Types, viewportHasPan, viewportHasZoom } from '@cornerstonejs/core';
import { BaseTool } from '@cornerstonejs/tools';
import type { EventTypes, PublicToolProps } from '@cornerstonejs/tools/types';

type Spot = readonly [x: number, y: number];

/** Two fingers, in CSS pixels of their element. */
type Fingers = readonly [Spot, Spot];

const apart = ([one, other]: Fingers): number => Math.hypot(one[0] - other[0], one[1] - other[1]);

const middleOf = ([one, other]: Fingers): Spot => [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];

/** From which magnification to which fingers can lead, 1 being the whole picture. */
const [smallest, largest] = [0.1, 60];

/** How a picture lies: `pan` is how far its middle is from that of its element, in CSS pixels. */
type Lie = { zoom: number; pan: Spot };

/** Where fingers took hold of a picture, and how it lay then. `centre` is the middle of its element. */
export type Hold = { fingers: Fingers; lie: Lie; centre: Spot };

/** How a picture lies when the fingers that hold it are elsewhere: what was under them stays under them. */
export const pinched = ({ fingers, lie: { zoom, pan }, centre }: Hold, now: Fingers): Lie => {
  // Fingers that begin at one place have no distance that could grow.
  const wanted = apart(fingers) > 0 ? (zoom * apart(now)) / apart(fingers) : zoom;
  const next = Math.min(largest, Math.max(smallest, wanted));
  const [from, to] = [middleOf(fingers), middleOf(now)];
  const moved = (axis: 0 | 1): number =>
    to[axis] - centre[axis] - (from[axis] - centre[axis] - pan[axis]) * (next / zoom);
  return { zoom: next, pan: [moved(0), moved(1)] };
};

const fingersOf = ([one, other, third]: readonly { canvas: Types.Point2 }[]): Fingers | undefined =>
  one && other && !third ? [one.canvas, other.canvas] : undefined;

const areSame = ([one, other]: Fingers, [first, second]: Fingers): boolean =>
  one.every((part, axis) => part === first[axis]) && other.every((part, axis) => part === second[axis]);

/**
 * Two fingers magnify and move a picture. Not the library's: it magnifies by a share of the height of the pane, whatever
 * way the fingers go on planes (Cornerstone3D 5.14.0, ZoomTool._dragViewportZoom).
 */
export class PinchTool extends BaseTool {
  static override toolName = 'Pinch';

  constructor(toolProps: PublicToolProps = {}) {
    super(toolProps, { supportedInteractionTypes: ['Touch'], configuration: {} });
  }

  /** From the beginning of the gesture, not from move to move: a picture is not moved by less than a pixel. */
  #held: { hold: Hold; now: Fingers } | undefined;

  touchDragCallback({ detail }: EventTypes.TouchDragEventType) {
    const { element, lastPointsList, currentPointsList } = detail;
    const viewport = getEnabledElement(element)?.viewport;
    const [before, now] = [fingersOf(lastPointsList), fingersOf(currentPointsList)];
    if (!before || !now || !viewport || !viewportHasZoom(viewport) || !viewportHasPan(viewport)) return;
    const goesOn = this.#held && areSame(this.#held.now, before);
    const [x, y] = viewport.getPan();
    const hold = (goesOn && this.#held?.hold) || {
      fingers: before,
      lie: { zoom: viewport.getZoom(), pan: [x, y] },
      centre: [element.clientWidth / 2, element.clientHeight / 2],
    };
    this.#held = { hold, now };
    const { zoom, pan } = pinched(hold, now);
    viewport.setZoom(zoom);
    viewport.setPan([pan[0], pan[1]]);
    viewport.render();
  }
}
