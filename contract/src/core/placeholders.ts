/**
 * Longest name of an unfilled field, which is written in square brackets: "[size in mm]". Templates, macros and empty
 * merge fields create such fields. Tab moves between them, and the checks before signing find them.
 */
export const longestPlaceholder = 200;

/**
 * Returns an expression that matches every unfilled field. Creates a new expression for each call, because a shared
 * expression would keep the position of its last match.
 */
export const placeholders = (): RegExp => new RegExp(`\\[[^\\[\\]\\n]{1,${longestPlaceholder}}\\]`, 'g');

/** Returns a field with this name. Removes characters that the name must not contain. */
export const placeholder = (name: string): string =>
  `[${name
    .replaceAll(/[[\]\n]+/g, ' ')
    .trim()
    .slice(0, longestPlaceholder)}]`;

/**
 * Whether a line has only unfilled fields after its label: "Pleura: [effusion, thickening]". A number with a unit is a
 * value, also before a colon: "Spleen 12 cm: [remark]".
 */
export const isToFill = (line: string): boolean => {
  const rest = line.replaceAll(placeholders(), '');
  return (
    rest !== line &&
    !/[\p{L}\p{N}]/u.test(
      rest
        .split(/(?<=[:.\n])/)
        .map(withoutLabel)
        .join(''),
    )
  );
};

/** Length of the longest label with its colon ("Pleura:"), in characters. */
const longestLabel = 62;

/** A number with its unit. The number of a label has none: "L4/5:", "Segment 4:". */
const value = /\d\s*(?:%|°|(?:mm|cm|m|ml|cc|hu|suv|mgy|gy|kg|mg|g|bpm|mmhg|ms|s)[²³]?(?![\p{L}\p{N}]))/iu;

/** Removes the label from a piece of text that ends with a colon. */
const withoutLabel = (fragment: string): string => {
  if (!fragment.endsWith(':') || value.test(fragment)) return fragment;
  const tail = fragment.slice(-longestLabel);
  const label = tail.search(/\p{L}/u);
  return label === -1 ? fragment : fragment.slice(0, fragment.length - tail.length + label);
};
