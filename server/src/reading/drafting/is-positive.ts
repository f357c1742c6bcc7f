/**
 * Whether a sentence reports something abnormal. The result only decides which lines an impression proposes. In doubt
 * it is true, because a reader deletes an extra line but may overlook a missing one.
 */
export const isPositive = (sentence: string): boolean => {
  const text = sentence.replace(/^[^:]{1,40}:\s*/, '').trim();
  if (text === '' || /^\[[^\]]*\]\.?$/.test(text)) return false;
  if (startsNegative.test(text)) return turns.test(text) || /\d/.test(text);
  if (normalSize.test(text) && !finding.test(text)) return false;
  const clauses = text.split(clauseEnds);
  if (clauses.some((clause) => tellsOfFinding(clause) && !negated.test(clause))) return true;
  return !clauses.some((clause) => normal.test(clause) || (tellsOfFinding(clause) && negated.test(clause)));
};

/** Beginnings of negative sentences in English, German, French, Spanish, Italian and Portuguese. */
const startsNegative =
  /^(?:no|none|not|without|negative for|absence of|absent|free of|nil|kein(?:e|en|er)?|ohne|pas d[e’']|aucun(?:e)?|absence d[e’']|sin|no se|senza|nessun[oa]?|non|sem|não|ausência de)(?:\s|$|\.|(?<=[’']))/i;

/** After one of these words, a sentence that began with "no" may report a finding, or a change of a finding. */
const turns =
  /\b(?:but|however|although|though|except|apart from|aside from|other than|besides|with|change|interval|progress\w*|longer|more than|exclude[ds]?|further|aber|jedoch|außer|sauf|mais|pero|excepto|ma|mas|exceto)\b/i;

const clauseEnds = /[,;]|\b(?:with|but|however|although|except|apart from|and|mit|und|aber|avec|mais|con|pero)\b/i;

const negated =
  /\b(?:no|not|without|negative|absent|free of|nor|neither|resolved|ruled out|kein\w*|ohne|pas|aucune?|sans|sin|senza|nessun\w*|sem|não)\b/i;

const normal =
  /(?<!not |nicht |non |no )\b(?:normal|unremarkable|clear|intact|patent|preserved|maintained|within normal limits|central|symmetrical|homogeneous|unauffällig|regelrecht|frei|normale?s?|nella norma|sin alteraciones|sem alterações)\b/i;

const size = /\d\s*(?:×\s*\d+\s*)?(?:mm|cm)\b/i;

/** A size that the sentence calls normal: "The common bile duct measures 4 mm, normal." */
const normalSize =
  /\b(?:measures?|measuring|is|are)\s+\d[\d.,]*\s?(?:×\s?\d[\d.,]*\s?)?(?:mm|cm)(?:,| and|\s\()?\s?(?:is |which is |within )?normal\b/i;

/** Words for findings. */
const finding =
  /\b(?:ab|sub)normal\w*|\b(?:mass|masses|nodul\w*|lesion\w*|tumou?r\w*|metasta\w*|cyst\w*|calculus|calculi|stones?|fractur\w*|disloc\w*|effusion\w*|pneumothora\w*|consolidat\w*|atelecta\w*|opacit\w*|opacif\w*|emphysem\w*|fibros\w*|oedema|edema|embol\w*|thromb\w*|stenos\w*|occlus\w*|dissect\w*|aneurysm\w*|ha?emorrhag\w*|ha?ematoma\w*|infarct\w*|isch[ae]+mi\w*|abscess\w*|collection\w*|perforat\w*|obstruct\w*|dilat\w*|hydroneph\w*|thicken\w*|enlarged?|enlargement|lymphadenopathy|adenopathy|protrusion|herniat\w*|extrusion|compress\w*|tears?|rupture\w*|degenerat\w*|osteophyt\w*|arthro\w*|calcif\w*|steatosis|cirrhosis|pancreatitis|appendicitis|cholecystitis|diverticulitis|free (?:air|fluid|gas)|suspicious|malignan\w*|infiltrat\w*|swelling)\b/i;

const tellsOfFinding = (clause: string): boolean => size.test(clause) || finding.test(clause);
