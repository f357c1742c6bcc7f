import { reports } from '@radwork/contract/reports';
import { globalTemplates, templates } from '@radwork/contract/templates';
import { may } from '#core/session.ts';

/** Tells whether the caller may have private macros. Every writer of reports may. */
export const mayWrite = (): boolean => may(reports.create);

/** Tells whether the caller may change templates and shared macros of the organization. */
export const mayShare = (): boolean => may(templates.create);

/** Tells whether the caller may change global templates. */
export const mayChangeGlobals = (): boolean => may(globalTemplates.create);
