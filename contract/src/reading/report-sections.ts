/** Named sections of a report, in their usual order. */
export const reportSections = [
  'history',
  'technique',
  'comparison',
  'findings',
  'impression',
  'recommendation',
] as const;
export type ReportSection = (typeof reportSections)[number];

/** Languages of reports: the first two letters of a language tag such as en-US. */
export const reportLanguages = ['en', 'es', 'fr', 'de', 'it', 'pt', 'zh'] as const;
export type ReportLanguage = (typeof reportLanguages)[number];

/** Names of the sections. The first name is the one to display. */
export const sectionNames: Record<ReportLanguage, Record<ReportSection, readonly [string, ...string[]]>> = {
  en: {
    history: ['clinical history', 'history', 'indication', 'clinical information', 'clinical indication'],
    technique: ['technique', 'procedure', 'protocol', 'examination'],
    comparison: ['comparison', 'comparisons', 'prior studies'],
    findings: ['findings', 'finding', 'report', 'description'],
    impression: ['impression', 'impressions', 'conclusion', 'conclusions', 'opinion', 'summary', 'assessment'],
    recommendation: ['recommendation', 'recommendations', 'follow-up'],
  },
  es: {
    history: ['historia clínica', 'indicación', 'datos clínicos'],
    technique: ['técnica'],
    comparison: ['comparación', 'estudios previos'],
    findings: ['hallazgos', 'informe'],
    impression: ['impresión', 'impresión diagnóstica', 'conclusión', 'conclusiones'],
    recommendation: ['recomendación', 'recomendaciones'],
  },
  fr: {
    history: ['indication', 'renseignements cliniques'],
    technique: ['technique'],
    comparison: ['comparaison', 'comparatif'],
    findings: ['résultats', 'résultat', 'description', 'constatations'],
    impression: ['conclusion', 'conclusions', 'impression', 'synthèse'],
    recommendation: ['recommandation', 'recommandations'],
  },
  de: {
    history: ['anamnese', 'klinische angaben', 'fragestellung', 'indikation', 'rechtfertigende indikation'],
    technique: ['technik', 'methode', 'untersuchungstechnik'],
    comparison: ['vergleich', 'voruntersuchung', 'voruntersuchungen', 'voraufnahmen'],
    findings: ['befund', 'befunde'],
    impression: ['beurteilung', 'zusammenfassung', 'bewertung'],
    recommendation: ['empfehlung', 'empfehlungen'],
  },
  it: {
    history: ['quesito clinico', 'anamnesi', 'indicazione'],
    technique: ['tecnica'],
    comparison: ['confronto', 'esami precedenti'],
    findings: ['reperti', 'referto'],
    impression: ['conclusioni', 'conclusione', 'impressione diagnostica'],
    recommendation: ['raccomandazioni', 'raccomandazione'],
  },
  pt: {
    history: ['história clínica', 'indicação', 'indicação clínica'],
    technique: ['técnica'],
    comparison: ['comparação', 'exames anteriores'],
    findings: ['achados', 'análise', 'relatório'],
    impression: ['impressão', 'impressão diagnóstica', 'conclusão', 'opinião'],
    recommendation: ['recomendação', 'recomendações'],
  },
  zh: {
    history: ['临床病史', '病史', '临床资料'],
    technique: ['检查方法', '检查技术', '扫描技术'],
    comparison: ['对比', '比较', '既往检查'],
    findings: ['检查所见', '影像所见', '所见', '影像表现'],
    impression: ['诊断意见', '影像诊断', '印象', '结论'],
    recommendation: ['建议'],
  },
};

const sectionOf = new Map<string, ReportSection>();
for (const language of reportLanguages) {
  for (const section of reportSections) {
    for (const name of sectionNames[language][section]) {
      // If a name occurs in two languages, its first meaning stays.
      if (!sectionOf.has(name)) sectionOf.set(name, section);
    }
  }
}

/**
 * Returns the section that a heading names, ignoring case, numbering and colon: "2. FINDINGS:". Undefined for other
 * headings.
 */
export const sectionOfHeading = (heading: string): ReportSection | undefined =>
  sectionOf.get(
    heading
      .trim()
      .replace(/^(?:\d+|[ivx]+)[.)]\s+/i, '')
      .replace(/(?<!\s)\s*[:：.。]$/, '')
      .replaceAll(/\s+/g, ' ')
      .toLowerCase(),
  );

/** Returns the section named at the start of a line: "IMPRESSION: No fracture." */
export const sectionAtStart = (line: string): { section: ReportSection; length: number } | undefined => {
  const match = /^([^:：]{2,40})[:：]/.exec(line);
  const section = match?.[1] && sectionOfHeading(match[1]);
  return match && section ? { section, length: match[0].length } : undefined;
};
