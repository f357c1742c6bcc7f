import type { Plugin } from 'vite';

const file = '/contract/src/audit-actions.ts';

/** Returns the code of a module whose exported object has only the given labels. */
const asData = (code: string, actions: object): string => {
  const [, later] = code.split(/^export const auditActions[^]*?;$/m);
  if (!later) throw new Error(`See how ${file} exports the labels (web/build/audit-labels.ts)`);
  return `export const auditActions = ${JSON.stringify(actions)};\n${later}`;
};

/**
 * Replaces the collected labels of audit actions by their values. The audit screens would otherwise load the endpoints
 * and schemas of every noun.
 */
export const auditLabels = (): Plugin => ({
  name: 'audit-labels',
  apply: 'build',
  enforce: 'pre',
  transform: async (code, id) => {
    if (!id.endsWith(file)) return null;
    const { auditActions } = await import('@radwork/contract/audit-actions');
    return asData(code, auditActions);
  },
});
