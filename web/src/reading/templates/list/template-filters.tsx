import { t } from '@lingui/core/macro';
import { useDebouncedCallback } from '@mantine/hooks';
import { modalities } from '@radwork/contract/core/modalities';
import { type ReactNode, useState } from 'react';
import { FilterChoice, SearchField } from '#ui/lists/filter-form.tsx';
import { bodyPartLabel, type TemplateFilter } from '#reading/templates/template-filter.ts';
import styles from './template-filters.module.css';
import { useBodyParts } from '#reading/templates/use-templates.ts';

/** Pause in typing before a search, in milliseconds. */
const pause = 250;

type Props = { filter: TemplateFilter; onFilter: (filter: TemplateFilter) => void; children?: ReactNode };

/** Filters by text, modality and body part. The body part can be chosen only after a modality. */
export function TemplateFilters({ filter, onFilter, children }: Props) {
  const [typed, setTyped] = useState(filter.q ?? '');
  const search = useDebouncedCallback((q: string) => onFilter({ ...filter, q: q || undefined }), pause);
  const bodyParts = useBodyParts(filter.modality);
  return (
    <div className={styles.filters} role="search">
      <SearchField
        data-autofocus
        aria-label={t`Search templates`}
        placeholder={t`Name, description or section`}
        maxLength={200}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          search(event.currentTarget.value);
        }}
      />
      <FilterChoice
        label={t`Modality`}
        value={filter.modality}
        choices={modalities}
        // Clears the body part, because it depends on the modality.
        onChoose={(modality) =>
          onFilter({ ...filter, q: typed || undefined, modality: modality || undefined, bodyPart: undefined })
        }
      />
      {filter.modality && (
        <FilterChoice
          label={t`Body part`}
          value={filter.bodyPart}
          choices={bodyParts.map((part) => ({ value: part, label: bodyPartLabel(part) }))}
          onChoose={(bodyPart) => onFilter({ ...filter, q: typed || undefined, bodyPart: bodyPart || undefined })}
        />
      )}
      {children}
    </div>
  );
}
