import { t } from '@lingui/core/macro';
import { IconSparkles } from '@tabler/icons-react';
import { ModalityTag } from '#ui/marks/modality-tag.tsx';
import { bodyPartLabel } from '#reading/templates/template-filter.ts';
import styles from './template-cards.module.css';
import type { RankedTemplate } from '#reading/templates/use-templates.ts';

type Props = { ranked: readonly RankedTemplate[]; chosen: string | undefined; onChoose: (key: string) => void };

/** Grid of templates. The best match comes first, with the reason. */
export function TemplateCards({ ranked, chosen, onChoose }: Props) {
  const best = ranked[0]?.match ? ranked[0].key : undefined;
  return (
    <ul className={styles.grid} aria-label={t`Templates`}>
      {ranked.map((one) => (
        <li key={one.key}>
          <TemplateCard ranked={one} isBest={one.key === best} isChosen={one.key === chosen} onChoose={onChoose} />
        </li>
      ))}
    </ul>
  );
}

type CardProps = { ranked: RankedTemplate; isBest: boolean; isChosen: boolean; onChoose: (key: string) => void };

function TemplateCard({ ranked: { key, template, isGlobal, match }, isBest, isChosen, onChoose }: CardProps) {
  const { name, description, modality, bodyPart, isActive, sections } = template;
  const reason = match?.reason ?? '';
  return (
    <button
      type="button"
      className={styles.card}
      aria-pressed={isChosen}
      data-inactive={isActive ? undefined : true}
      onClick={() => onChoose(key)}
    >
      <span className={styles.head}>
        <span className={styles.name}>{name}</span>
        <ModalityTag modality={modality} />
      </span>
      {description && <span className={styles.description}>{description}</span>}
      <span className={styles.facts}>
        {bodyPart && <span>{bodyPartLabel(bodyPart)}</span>}
        {sections.length > 0 && <span>{sections.map((section) => section.name).join(' · ')}</span>}
      </span>
      {(match || isGlobal || !isActive) && (
        <span className={styles.marks}>
          {match && (
            <span className={styles.match} data-best={isBest || undefined}>
              {isBest && <IconSparkles size={13} stroke={1.7} aria-hidden />}
              {isBest ? t`Best match: ${reason}` : reason}
            </span>
          )}
          {isGlobal && <span>{t`Global`}</span>}
          {!isActive && <span className={styles.inactive}>{t`Inactive`}</span>}
        </span>
      )}
    </button>
  );
}
