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

/** Installs the translation, once: the page in its own language, the server in the language of the call. */
export const installTranslation = (translation: Translate) => {
  translate = translation;
};

/**
 * Returns a sentence in the language of its reader: text`The study is locked by ${name}.` `npm run messages` collects
 * the sentences for translators. Call it while a message is made: a constant of a module would stay in English.
 */
export const text = (strings: TemplateStringsArray, ...list: (string | number)[]): string => {
  const message = strings.reduce((sentence, part, at) => `${sentence}{${at - 1}}${part}`);
  const values = Object.fromEntries(list.entries());
  return translate?.(message, values) ?? fill(message, values);
};

/** Returns a sentence about a count, `#` in it: texts(count, { one: '# file differs', other: '# files differ' }). */
export const texts = (count: number, { one, other }: { one: string; other: string }): string =>
  translate?.(`{0, plural, one {${one}} other {${other}}}`, { 0: count }) ??
  (count === 1 ? one : other).replace('#', numbers.format(count));
