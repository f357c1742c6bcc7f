import type { Plugin } from 'vite';

const file = '/contract/src/audit-actions.ts';

/** Returns the code of a module whose exported object contains only the given labels. */
export const withLabels = (code: string, actions: object): string => {
  const [before = '', later] = code.split(/^export const auditActions[^]*?;$/m);
  if (!later) throw new Error(`See how ${file} exports the labels (web/build/without-audit.ts)`);
  const imports = before.replace(/^import \{ (?:nouns|auditGroups) \}.*$/gm, '');
  return `${imports}export const auditActions = ${JSON.stringify(actions)};\n${later}`;
};

const text = /'(?:[^'\\]|\\.)*'|"[^"]*"/.source;
const audited = new RegExp(
  `\\baudited: (?:${text}|notAudited\\.\\w+|(?:asReading|unaudited)\\((?:${text}|[\\s,])*\\)),?`,
  'g',
);

/** Returns the code of a contract file without the property `audited` of its endpoints. */
export const withoutAudited = (code: string): string => code.replace(audited, '');

/**
 * Removes the information how calls are audited, because only the server reads it. Replaces the collected audit actions
 * by their labels. Otherwise the audit screens would load the endpoints and schemas of every feature.
 */
export const withoutAudit = (): Plugin => ({
  name: 'without-audit',
  apply: 'build',
  enforce: 'pre',
  transform: async (code, id) => {
    if (!/\/contract\/src\/(?:[\w-]+\/)*[\w-]+\.ts$/.test(id)) return null;
    if (!id.endsWith(file)) return withoutAudited(code);
    const { auditActions } = await import('@radwork/contract/audit-actions');
    return withLabels(code, auditActions);
  },
});
