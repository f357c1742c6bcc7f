import { t } from '@lingui/core/macro';
import type { HangingRule, HangingRuleForm } from '@radwork/contract/reading/hanging-rules';
import { bodyPartLabels } from './series-description.ts';

/** Returns a text such as "3 or more monitors". */
export const monitorsLabel = (monitors: HangingRuleForm['monitors']): string => {
  if (monitors === null) return t`Any number of monitors`;
  if (monitors === 1) return t`1 monitor`;
  return monitors === 2 ? t`2 monitors` : t`3 or more monitors`;
};

/** Returns the studies of a rule, such as "CT chest, 2 monitors". */
export const ruleSubject = ({
  modality,
  bodyPart,
  monitors,
}: Pick<HangingRuleForm, 'modality' | 'bodyPart' | 'monitors'>): string => {
  const kind = [modality || t`Any modality`, bodyPartLabels[bodyPart]].filter(Boolean).join(' ');
  return monitors === null ? kind : `${kind}, ${monitorsLabel(monitors)}`;
};

/** Returns the text that names the rule by which a study hangs. */
export const hungByText = (rule: HangingRule): string => {
  const subject = ruleSubject(rule);
  return rule.isShared ? t`Hung by: ${subject}, rule of the organization` : t`Hung by: ${subject}, own rule`;
};
