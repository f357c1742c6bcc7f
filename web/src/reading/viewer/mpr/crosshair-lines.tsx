import type { PointerEvent } from 'react';
import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import { followPointer } from '#reading/viewer/shell/follow-pointer.ts';
import type { Plane } from '#reading/viewer/volumes/plane-viewport.tsx';
import { cutDirectionOn } from './plane-crossing.ts';
import { colorOf } from '#reading/viewer/volumes/plane-names.ts';
import { planePositionOf, turnOthers } from './crosshairs.ts';
import styles from './mpr-stage.module.css';

/** Gap between the lines and the crossing, in CSS pixels. */
const gap = 18;

/** Distance of the rotation handles from the crossing, as a fraction of the shorter side of the viewport. */
const reach = 0.36;

type Props = {
  plane: Plane;
  planes: readonly Plane[];
  crossing: Vector;
  /** Whether the crosshairs are the active tool. The lines then have handles. */
  isInHand: boolean;
};

/**
 * Lines where the other planes cut this plane, each in the color of its plane. Their handles rotate the other planes.
 */
export function CrosshairLines({ plane, planes, crossing, isInHand }: Props) {
  const { viewport } = plane;
  const { clientWidth: width, clientHeight: height } = viewport.element;
  const lying = planePositionOf(plane);
  if (!lying) return null;
  const [x, y] = viewport.worldToCanvas([crossing[0], crossing[1], crossing[2]]);
  const far = width + height;
  return (
    <svg className={styles.lines} aria-hidden>
      {planes.map((other) => {
        const lyingOther = other === plane ? undefined : planePositionOf(other);
        if (!lyingOther) return null;
        const [across, down] = cutDirectionOn(lying, lyingOther);
        const at = (distance: number) => ({ x: x + across * distance, y: y + down * distance });
        return [1, -1].map((side) => {
          const [near, end, handle] = [at(side * gap), at(side * far), at(side * reach * Math.min(width, height))];
          const colour = colorOf[other.orientation];
          return (
            <g key={`${other.viewport.id} ${side}`} stroke={colour}>
              <line x1={near.x} y1={near.y} x2={end.x} y2={end.y} />
              {isInHand && (
                <g onPointerDown={(event) => turnBy(event, { x, y }, (angle) => turnOthers(planes, plane, angle))}>
                  <circle cx={handle.x} cy={handle.y} r={5} />
                  <circle className={styles.reach} cx={handle.x} cy={handle.y} />
                </g>
              )}
            </g>
          );
        });
      })}
    </svg>
  );
}

/** Follows a drag around a point until release. Reports each change of the angle in radians. */
const turnBy = (event: PointerEvent<SVGElement>, middle: { x: number; y: number }, onTurn: (angle: number) => void) => {
  const handle = event.currentTarget;
  const box = handle.ownerSVGElement?.getBoundingClientRect();
  if (event.button !== 0 || !event.isPrimary || !box) return;
  // Stops the event, because the press would otherwise also move the crossing.
  event.stopPropagation();
  const angleAt = ({ clientX, clientY }: { clientX: number; clientY: number }) =>
    Math.atan2(clientY - box.top - middle.y, clientX - box.left - middle.x);
  const first = angleAt(event);
  let before = first;
  const turnTo = (now: number) => {
    onTurn(now - before);
    before = now;
  };
  followPointer(event, { follow: (at) => turnTo(angleAt(at)), cancel: () => turnTo(first) });
};
