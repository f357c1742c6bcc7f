import { reports } from '@radwork/contract/reports';
import { globalTemplates, templates } from '@radwork/contract/templates';
import { may } from '#core/session.ts';

/** Whether the caller keeps macros of their own: whoever writes reports does. */
export const mayWrite = (): boolean => may(reports.create);

/** Whether the caller changes what all of the organisation use: templates and shared macros. */
export const mayShare = (): boolean => may(templates.create);

/** Whether the caller changes the templates of the whole installation. */
export const mayChangeGlobals = (): boolean => may(globalTemplates.create);
