import { specimens as dialogs } from './dialogs.tsx';
import { specimens as documents } from './documents.tsx';
import { specimens as fields } from './fields.tsx';
import { specimens as marks } from './marks.tsx';
import { specimens as notices } from './notices.tsx';
import { specimens as screens } from './screens.tsx';
import { specimens as signing } from './signing.tsx';
import type { Specimens } from './specimens.ts';
import { specimens as tables } from './tables.tsx';

export const rooms: Record<string, Specimens> = {
  marks,
  notices,
  tables,
  fields,
  dialogs,
  screens,
  signing,
  documents,
};
