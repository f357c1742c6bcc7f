import { DayInput } from '#ui/forms/day-input.tsx';
import { DayRange } from '#ui/forms/day-range.tsx';
import { FilterChoice, FilterForm, SearchField } from '#ui/lists/filter-form.tsx';
import { IssuerInput } from '#ui/forms/issuer-input.tsx';
import { TimeInput } from '#ui/forms/time-input.tsx';
import { TimeZoneSelect } from '#ui/forms/time-zone-select.tsx';
import { ignore, longText } from './data.ts';
import type { Specimens } from './specimens.ts';

const days = {
  from: { label: 'From', value: '2026-11-01', onChange: ignore },
  to: { label: 'To', value: undefined, onChange: ignore },
};
const choices = ['CT', 'MR', { value: 'US', label: 'Ultrasound' }];

export const specimens: Specimens = {
  DayInput: {
    empty: <DayInput label="From" value="" onChange={ignore} />,
    filled: <DayInput label="From" value="2026-11-20" onChange={ignore} />,
    error: <DayInput label="From" value="20.11." onChange={ignore} error="Use yyyy-MM-dd" />,
  },
  DayRange: { filled: <DayRange {...days} /> },
  TimeInput: {
    empty: <TimeInput label="Due" value="" onChange={ignore} />,
    filled: <TimeInput label="Due" value="2026-11-20 09:30" onChange={ignore} description="Time of the clinic" />,
    error: <TimeInput label="Due" value="tomorrow" onChange={ignore} error="Use yyyy-MM-dd HH:mm" />,
    disabled: <TimeInput label="Due" value="2026-11-20 09:30" onChange={ignore} disabled />,
    'long text': <TimeInput label={longText} value="" onChange={ignore} description={longText} />,
  },
  TimeZoneSelect: {
    filled: <TimeZoneSelect defaultValue="Europe/Berlin" />,
    'unknown zone': <TimeZoneSelect value="Mars/Olympus" />,
    error: <TimeZoneSelect error="Time zone is required" />,
    disabled: <TimeZoneSelect defaultValue="UTC" disabled />,
  },
  IssuerInput: {
    empty: <IssuerInput />,
    filled: <IssuerInput defaultValue="NORTH" />,
    error: <IssuerInput defaultValue="NORTH^" error="Use letters and digits" />,
    disabled: <IssuerInput defaultValue="NORTH" disabled />,
  },
  FilterForm: {
    filled: (
      <FilterForm onSubmit={ignore}>
        <SearchField aria-label="Search studies" placeholder="Patient, ID or accession number" defaultValue="Müller" />
        <FilterChoice label="Modality" value="CT" choices={choices} onChoose={ignore} />
        <DayRange {...days} />
      </FilterForm>
    ),
  },
  SearchField: {
    empty: <SearchField aria-label="Search patients" placeholder="Patient or ID" />,
    disabled: <SearchField aria-label="Search reports" placeholder="Report text" disabled />,
    'long text': <SearchField aria-label="Search templates" defaultValue={longText} />,
  },
  FilterChoice: {
    none: <FilterChoice label="Modality" any="Any modality" value={undefined} choices={choices} onChoose={ignore} />,
    chosen: <FilterChoice label="Modality" value="US" choices={choices} onChoose={ignore} />,
    'long text': <FilterChoice label="Template" value={longText} choices={[longText]} onChoose={ignore} />,
  },
};
