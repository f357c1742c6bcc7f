/** Values of a message, by their position in the sentence. */
type Values = Readonly<Record<string, string | number>>;

/**
 * Returns a message in the user's language, or undefined without a translation. `message` is English, with `{0}` for
 * the first value.
 */
export type Translate = (message: string, values: Values) => string | undefined;

const numbers = new Intl.NumberFormat('en-US');

const fill = (message: string, values: Values): string =>
  message.replace(/\{(\d+)\}/g, (_, at: string) => String(values[at] ?? ''));

let translate: Translate | undefined;
let translateLabel: Translate | undefined;

/**
 * Installs the translations once. The page installs both messages and labels. The server installs no labels: it stores
 * and prints them, so they must not depend on the caller.
 */
export const installTranslation = (ofMessages: Translate, ofLabels?: Translate) => {
  translate = ofMessages;
  translateLabel = ofLabels;
};

/**
 * Returns a sentence in the user's language: t`The study is locked by ${name}.` `npm run messages` collects the
 * sentences for translators. Call it when the message is needed, because a constant of a module would stay English.
 */
export const t = (strings: TemplateStringsArray, ...list: (string | number)[]): string => {
  const message = strings.reduce((sentence, part, at) => `${sentence}{${at - 1}}${part}`);
  const values = Object.fromEntries(list.entries());
  return translate?.(message, values) ?? fill(message, values);
};

/**
 * Returns a sentence with a count in place of `#`: plural(count, { one: '# file differs', other: '# files differ' }).
 */
export const plural = (count: number, { one, other }: { one: string; other: string }): string =>
  translate?.(`{0, plural, one {${one}} other {${other}}}`, { 0: count }) ??
  (count === 1 ? one : other).replace('#', numbers.format(count));

/**
 * A sentence that is stored, and translated each time it is read. `key` is the key of its translation, `english` the
 * whole sentence for a reader without one. Without a key, the values are texts in a row, or `english` is never
 * translated.
 */
export type Sentence = { english: string; key: string; values: readonly (string | number | Sentence)[] };

const englishOf = (value: Sentence['values'][number]): string | number =>
  typeof value === 'object' ? value.english : value;

/** Returns a sentence to store: sentence`${name} mentioned you in the chat` */
export const sentence = (strings: TemplateStringsArray, ...values: Sentence['values']): Sentence => {
  const key = strings.reduce((whole, part, at) => `${whole}{${at - 1}}${part}`);
  return { english: fill(key, Object.fromEntries(values.map(englishOf).entries())), key, values };
};

/** Returns a sentence to store with a count in place of `#`, as `plural` does. */
export const pluralSentence = (count: number, { one, other }: { one: string; other: string }): Sentence => ({
  english: (count === 1 ? one : other).replace('#', numbers.format(count)),
  key: `{0, plural, one {${one}} other {${other}}}`,
  values: [count],
});

/** Returns a text to store that is never translated, such as the description of a study. */
export const literal = (text: string): Sentence => ({ english: text, key: '', values: [] });

/** Returns sentences to store that follow each other. */
export const inRow = (...values: readonly Sentence[]): Sentence => ({
  english: values.map(({ english }) => english).join(' '),
  key: '',
  values,
});

/** Returns a label to store as a value of a sentence. `english` is a text that `translated` or an endpoint declares. */
export const labelSentence = (english: string): Sentence => ({ english, key: english, values: [] });

/** Returns a stored sentence in the user's language. */
export const translatedSentence = ({ english, key, values }: Sentence): string => {
  const inLanguage = values.map((value) => (typeof value === 'object' ? translatedSentence(value) : value));
  if (key === '') return inLanguage.length > 0 ? inLanguage.join(' ') : english;
  return translate?.(key, Object.fromEntries(inLanguage.entries())) ?? english;
};

/** Returns a label in the language of the page. `npm run messages` finds the labels in the declarations of nouns. */
export const translatedLabel = (english: string): string => translateLabel?.(english, {}) ?? english;

/** Returns labels in the language of the page: `translated({ STAT: 'At once' })`. */
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
