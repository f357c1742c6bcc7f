import type { AnnotationPoint, TextObject } from './annotations.ts';
import type { ToScreen } from './apply-state.ts';
import type { PixelPoint } from './image-references.ts';
import styles from './presentation-layer.module.css';
import { cssColor } from '#reading/viewer/segments/color.ts';
import { widthOf, wrapText } from './wrap-text.ts';

type Props = { words: TextObject; place: (point: AnnotationPoint) => PixelPoint; toScreen: ToScreen; width: number };

type Box = { left: number; top: number; right: number; bottom: number };

/** Distance between an anchor point and its text without a box, in screen pixels. */
const beside = 14;

const boxOnScreen = ({ words: { box }, place, toScreen }: Props): Box | undefined => {
  if (!box) return undefined;
  const [one, other] = [toScreen(place(box[0])), toScreen(place(box[1]))];
  return {
    left: Math.min(one.x, other.x),
    top: Math.min(one.y, other.y),
    right: Math.max(one.x, other.x),
    bottom: Math.max(one.y, other.y),
  };
};

/** Line height, and distance from the top of a line to its baseline, in screen pixels. */
const [pitch, ascent] = [17, 13];

/** Minimum line width, in screen pixels. */
const narrowest = 60;

const anchors = { left: 'start', center: 'middle', right: 'end' } as const;

/**
 * Text of a state. It stays upright when the image rotates (PS3.3 §C.10.5.1.1). It is drawn as SVG, so that saved
 * pictures include it.
 */
export function TextMark(props: Props) {
  const { words, place, toScreen, width } = props;
  const box = boxOnScreen(props);
  const anchor = words.anchor && toScreen(place(words.anchor));
  if (!box && !anchor) return null;
  const { left, top, right } = box ?? {
    left: (anchor?.x ?? 0) + beside,
    top: (anchor?.y ?? 0) - 2 * beside,
    right: width,
  };
  const side = box ? words.justification : 'left';
  const x = { left, center: (left + right) / 2, right }[side];
  const lines = wrapText(words.text, Math.max(narrowest, right - left), widthOf);
  return (
    <text
      className={styles.words}
      textAnchor={anchors[side]}
      data-testid="presentation-words"
      style={words.color && { fill: cssColor(words.color) }}
    >
      {lines.map((line, at) => (
        <tspan key={at} x={x} y={top + ascent + at * pitch}>
          {line}
        </tspan>
      ))}
    </text>
  );
}

/** Line from a text to its anchor point, if the state has one. */
export function TextAnchorLine(props: Props) {
  const { words, place, toScreen } = props;
  if (!words.hasLine || !words.anchor) return null;
  const anchor = toScreen(place(words.anchor));
  const box = boxOnScreen(props);
  const end = box
    ? {
        x: Math.min(box.right, Math.max(box.left, anchor.x)),
        y: Math.min(box.bottom, Math.max(box.top, anchor.y)),
      }
    : { x: anchor.x + beside, y: anchor.y - beside };
  return <path className={styles.line} d={`M${anchor.x} ${anchor.y}L${end.x} ${end.y}`} />;
}
