import { plural, t } from '../core/translate.ts';

/**
 * HTML attribute of text that a template filled in from data of the study, until the reader has looked at it. Its value
 * names the data: "clinical history".
 */
export const filledAttribute = 'data-filled';
export const longestFilledLabel = 80;

/** Returns the names of the filled parts of a report text that no reader has looked at. Expects HTML of the server. */
export const unseenPartsIn = (html: string): string[] =>
  Array.from(html.matchAll(/ data-filled="([^"]{1,400})"/g), ([, label = '']) => label);

/** Returns a notice for signing: how many filled parts the reader has not looked at. Undefined if there are none. */
export const unseenPartsNotice = (count: number): string | undefined =>
  count === 0
    ? undefined
    : plural(count, {
        one: '# filled part has not been looked at.',
        other: '# filled parts have not been looked at.',
      });

/** Description of a filled part for screen readers and as a tooltip. */
export const filledDescription = (label: string): string => t`Filled in: ${label}. Not looked at yet.`;
