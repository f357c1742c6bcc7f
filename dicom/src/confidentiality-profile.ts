import { entryOf, type Tag } from './dictionary.ts';
import { profileTable } from './confidentiality-table.ts';

/** The action for an attribute: remove it, empty it, replace its value or UID, or keep it. */
export type Action = 'remove' | 'empty' | 'dummy' | 'uid' | 'keep';

/**
 * The actions of PS3.15 Table E.1-1a. Some codes leave a choice that depends on the type of the attribute. The action
 * chosen here is valid for every type. A dummy satisfies types 1, 2 and 3; an empty value satisfies types 2 and 3.
 * Sequences of references (X/Z/U*) stay and get new UIDs.
 */
const actionOfCode: Record<string, Action> = {
  X: 'remove',
  Z: 'empty',
  D: 'dummy',
  U: 'uid',
  'X/Z': 'empty',
  'X/D': 'dummy',
  'Z/D': 'dummy',
  'X/Z/D': 'dummy',
  'X/Z/U*': 'keep',
};

const byTag = new Map<Tag, Action>();
const repeating: { pattern: RegExp; action: Action }[] = [];

/**
 * Attributes that no table lists but that identify or locate the patient. PS3.15 §E.1.1 leaves them to the
 * de-identifying application. They include birth and death dates in another calendar, other order numbers, and issuers
 * of these and of the Patient ID. They also include waveform annotations with findings, typed comments, reasons, labels
 * and contact data. Overlays are removed completely, while the table removes only their pixels.
 */
const unlisted = `
00080051 X
00100024 X
00100033 X
00100034 X
00100035 X
00240044 X
00400026 X
00400027 X
00400400 X
00401006 X
00401007 X
00402006 X
00402007 X
0040A160 D
00440106 X
00660004 X
00700006 D
00700081 Z
00741006 X
0074100A X
0074100C X
30020002 D
30020003 X
30020004 X
30040006 X
300600C8 X
30080066 X
30080202 X
300A0402 X
40080103 X
60xxxxxx X
`;

for (const line of `${profileTable.trim()}${unlisted}`.trim().split('\n')) {
  const [tag = '', code = ''] = line.split(' ');
  const action = actionOfCode[code];
  if (!action) throw new Error(`Table E.1-1 has no action ${code}`);
  if (tag.includes('x')) repeating.push({ pattern: new RegExp(`^${tag.replaceAll('x', '[0-9A-F]')}$`), action });
  else byTag.set(tag, action);
}

export const isPrivateTag = (tag: Tag): boolean => parseInt(tag.charAt(3), 16) % 2 === 1;

/** Keywords of UIDs that identify a kind, such as a SOP class or transfer syntax, and not a single object. */
const namesKind = /SOPClass|TransferSyntax|CodingScheme|Context|MappingResource|CreatorVersion|TemplateUID/;

/**
 * Returns the action of the Basic Profile for an attribute. Three rules go beyond the table. Attributes in no
 * dictionary are removed like private ones. Unlisted dates, times and persons get a dummy (PS3.15 §E.2 finds dates by
 * their VR). Unlisted UIDs are replaced unless they identify a kind, such as a SOP class.
 */
export const actionOf = (tag: Tag): Action => {
  if (isPrivateTag(tag)) return 'remove';
  const tableAction = byTag.get(tag) ?? repeating.find(({ pattern }) => pattern.test(tag))?.action;
  if (tableAction) return tableAction;
  const entry = entryOf(tag);
  if (!entry) return 'remove';
  if (['DA', 'TM', 'DT', 'PN'].includes(entry.vr)) return 'dummy';
  return entry.vr === 'UI' && !namesKind.test(entry.keyword) ? 'uid' : 'keep';
};
