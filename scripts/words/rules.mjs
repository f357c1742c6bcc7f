// Rules of docs/writing.md that a program can check. A text that breaks no rule may still read badly.

/** Maximum number of words in a sentence. docs/writing.md asks for at most 20; the others are for names and numbers. */
const longestSentence = 24;

const relativeOpening =
  /^(?:What|Who|Whoever|Whom|Whose|Of|By which|That which|In which|From which|To whom|With whom|Where|Those who|Nobody|Somebody)\b/;

const houseWords =
  /\b(?:somebody|whoever|anew|nobody|stands? (?:there|apart|beside)|is told|are told|goes on|by itself|called so|in words|put (?:in)?to its place|behind it|no longer any|as one likes|so that it is)\b/i;

const britishSpelling =
  /\b(?:organis(?:e|ed|es|ing|ations?|ational)|colours?|coloured|grey|centres?|centred|anonymis\w+|recognis\w+|normalis\w+|initialis\w+|optimis(?:e|ed|es|ing|ation)|summaris\w+|analys(?:e|ed|ing)|behaviours?|favourites?|neighbours?|catalogues?|cancelled|cancelling|labelled|labelling|licences?|honours?)\b/i;

/** Names in backticks are code, which other checks read. */
const withoutCode = (text) => text.replaceAll(/`[^`]*`/g, 'code');

const longestOf = (text) =>
  Math.max(...text.split(/[.;:!?](?:\s|$)/).map((sentence) => sentence.split(/\s+/).filter(Boolean).length));

/** Returns the reason why a text breaks the guide; undefined if it does not. */
export const faultOf = (text) => {
  const prose = withoutCode(text);
  const opening = relativeOpening.exec(prose);
  if (opening) return `opens with "${opening[0]}"`;
  const found = houseWords.exec(prose) ?? britishSpelling.exec(prose);
  if (found) return `"${found[0]}"`;
  const words = longestOf(prose);
  if (words > longestSentence) return `${words} words in one sentence`;
  return undefined;
};

/** Forms of a verb other than the imperative. A commit subject must begin with an imperative. */
const notImperative = /^(?:[a-z]+ed|[a-z]{2,}[^suia]s|[a-z]+ing)$/;
const imperatives = new Set(['embed', 'feed', 'need', 'seed', 'shed', 'speed', 'exceed', 'bring', 'string', 'ping']);

/** Returns the reason why the subject of a commit breaks `area: summary`; undefined if it does not. */
export const faultOfSubject = (subject) => {
  if (/^(?:Merge|Revert) /.test(subject)) return undefined;
  if (subject.length > 72) return `${subject.length} characters; at most 72`;
  const [, summary] = /^[a-z0-9][a-z0-9-]*(?:\([a-z0-9-]+\))?: (\S.*)$/.exec(subject) ?? [];
  if (!summary) return 'not `area: summary`';
  const [first] = summary.toLowerCase().split(/[^a-z]/);
  if (notImperative.test(first) && !imperatives.has(first)) return `"${first}" is not an imperative`;
  return undefined;
};
