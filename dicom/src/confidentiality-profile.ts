import { entryOf, type Tag } from './dictionary.ts';
import { profileTable } from './confidentiality-table.ts';

/** What is done with an attribute: taken out, left without a value, given a meaningless one, or left as it is. */
export type Action = 'remove' | 'empty' | 'dummy' | 'uid' | 'keep';

/**
 * The actions of PS3.15 Table E.1-1a. Where the table leaves a choice that depends on whether the attribute is
 * required in the kind of object at hand, the one is taken that is right whatever is required: a dummy satisfies
 * types 1, 2 and 3, an empty value types 2 and 3. Sequences of references (X/Z/U*) stay and get new UIDs.
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
 * What no table lists and names or finds the patient all the same (PS3.15 §E.1.1 leaves that to whoever de-identifies): dates
 * of birth and death in another calendar, which are text; numbers of orders beside those that are listed; who issued these
 * and the patient's ID; sentences beside a waveform, which carts write their findings in; overlays, of which the table takes out
 * the picture and leaves the rest; comments, reasons and labels that people type, and where somebody is to be reached.
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

/** UIDs that say what kind of thing something is, not which one. */
const namesKind = /SOPClass|TransferSyntax|CodingScheme|Context|MappingResource|CreatorVersion|TemplateUID/;

/**
 * What the Basic Profile does with an attribute. Three more rules go further than the table, which cannot know everything:
 * an attribute that is in no dictionary is taken out like a private one; a date, time or person that the table does
 * not list gets a dummy (PS3.15 §E.2 has dates found by their VR); a UID that is not the name of a kind is replaced.
 */
export const actionOf = (tag: Tag): Action => {
  if (isPrivateTag(tag)) return 'remove';
  const listed = byTag.get(tag) ?? repeating.find(({ pattern }) => pattern.test(tag))?.action;
  if (listed) return listed;
  const entry = entryOf(tag);
  if (!entry) return 'remove';
  if (['DA', 'TM', 'DT', 'PN'].includes(entry.vr)) return 'dummy';
  return entry.vr === 'UI' && !namesKind.test(entry.keyword) ? 'uid' : 'keep';
};
