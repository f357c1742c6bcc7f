/** Values of a message, by their position in the sentence. */
type Values = Readonly<Record<string, string | number>>;

/**
 * Returns a message in the language of its reader, or nothing when it has no translation. `message` is English, with
 * `{0}` for the first value.
 */
export type Translate = (message: string, values: Values) => string | undefined;

const numbers = new Intl.NumberFormat('en-US');

const fill = (message: string, values: Values): string =>
  message.replace(/\{(\d+)\}/g, (_, at: string) => String(values[at] ?? ''));

let translate: Translate | undefined;
let translateLabel: Translate | undefined;

/**
 * Installs the translations, once. The page installs both. The server installs none for labels: it stores and prints
 * them, so they must not depend on who calls.
 */
export const installTranslation = (ofMessages: Translate, ofLabels?: Translate) => {
  translate = ofMessages;
  translateLabel = ofLabels;
};

/**
 * Returns a sentence in the language of its reader: t`The study is locked by ${name}.` `npm run messages` collects the
 * sentences for translators. Call it while a message is made: a constant of a module would stay in English.
 */
export const t = (strings: TemplateStringsArray, ...list: (string | number)[]): string => {
  const message = strings.reduce((sentence, part, at) => `${sentence}{${at - 1}}${part}`);
  const values = Object.fromEntries(list.entries());
  return translate?.(message, values) ?? fill(message, values);
};

/** Returns a sentence about a count, `#` in it: plural(count, { one: '# file differs', other: '# files differ' }). */
export const plural = (count: number, { one, other }: { one: string; other: string }): string =>
  translate?.(`{0, plural, one {${one}} other {${other}}}`, { 0: count }) ??
  (count === 1 ? one : other).replace('#', numbers.format(count));

/** Returns a label that the page shows in its language. `npm run messages` knows the labels of nouns. */
export const translatedLabel = (english: string): string => translateLabel?.(english, {}) ?? english;

/** Returns labels that the page shows in its language: `translated({ STAT: 'At once' })`. */
export const translated = <const Labels extends Readonly<Record<string, string>>>(english: Labels): Labels =>
  Object.create(
    {},
    Object.fromEntries(
      Object.entries(english).map(([key, label]) => [
        key,
        { get: () => translatedLabel(label), enumerable: true, configurable: true },
      ]),
    ),
  );
