import { NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { modalities } from '@radwork/contract/modalities';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { bodyPartLabel, type TemplateFilter } from './template-filter.ts';
import styles from './template-filters.module.css';
import { useBodyParts } from './use-templates.ts';

/** How long to wait for the next key before searching, in milliseconds. */
const pause = 250;

type Props = { filter: TemplateFilter; onFilter: (filter: TemplateFilter) => void; children?: ReactNode };

/** Text at once with a pause, modality, and the part of the body once a modality is chosen. */
export function TemplateFilters({ filter, onFilter, children }: Props) {
  const [typed, setTyped] = useState(filter.q ?? '');
  const search = useDebouncedCallback((q: string) => onFilter({ ...filter, q: q || undefined }), pause);
  const bodyParts = useBodyParts(filter.modality);
  return (
    <div className={styles.filters} role="search">
      <TextInput
        className={styles.text}
        type="search"
        data-autofocus
        aria-label="Search templates"
        placeholder="Name, description or section"
        leftSection={<IconSearch size={15} stroke={1.6} aria-hidden />}
        maxLength={200}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          search(event.currentTarget.value);
        }}
      />
      <NativeSelect
        className={styles.choice}
        aria-label="Modality"
        value={filter.modality ?? ''}
        // Another modality has other parts of the body.
        onChange={(event) =>
          onFilter({
            ...filter,
            q: typed || undefined,
            modality: event.currentTarget.value || undefined,
            bodyPart: undefined,
          })
        }
        data={[{ value: '', label: 'Modality' }, ...modalities]}
      />
      {filter.modality && (
        <NativeSelect
          className={styles.choice}
          aria-label="Body part"
          value={filter.bodyPart ?? ''}
          onChange={(event) =>
            onFilter({ ...filter, q: typed || undefined, bodyPart: event.currentTarget.value || undefined })
          }
          data={[
            { value: '', label: 'Body part' },
            ...bodyParts.map((part) => ({ value: part, label: bodyPartLabel(part) })),
          ]}
        />
      )}
      {children}
    </div>
  );
}
