import type { Section } from './drafter.ts';
import { headingWords, speaksFor } from './organ-terms.ts';
import { type Finding, readFindings } from './read-findings.ts';

export type Arranged = { heading: string; findings: Finding[]; normal: string };

/** Heading for findings that match no heading of the template. */
export const otherHeading = 'Other findings';

/**
 * Puts the reader's findings under the headings of the template, in the order of the template, each statement once. A
 * heading without findings keeps the normal text of the template.
 */
export const arrangeFindings = (text: string, sections: readonly Section[]): Arranged[] => {
  const headings = sections.map((section) => ({ ...section, words: headingWords(section.heading) }));

  const sectionOf = (sentence: string): number => {
    const labeled = /^([^:]{2,40}):/.exec(sentence)?.[1]?.trim().toLowerCase();
    const headingIndex = headings.findIndex(({ heading }) => heading.toLowerCase() === labeled);
    if (headingIndex >= 0) return headingIndex;
    const counts = headings.map(({ words }) => speaksFor(sentence, words));
    const most = Math.max(0, ...counts);
    return most > 0 ? counts.indexOf(most) : -1;
  };

  const belongs = (sentence: string) => headings.length === 0 || sectionOf(sentence) >= 0;
  const assigned = readFindings(text, belongs).map((finding) => ({ finding, section: sectionOf(finding.subject) }));
  const under = (index: number) => assigned.filter(({ section }) => section === index).map(({ finding }) => finding);
  const other = under(-1);
  return [
    ...sections.map(({ heading, normal }, index) => ({ heading, normal, findings: under(index) })),
    ...(other.length > 0 ? [{ heading: otherHeading, normal: '', findings: other }] : []),
  ];
};
