import { reports } from '@radwork/contract/reading/reports';
import { globalTemplates, templates } from '@radwork/contract/reading/templates';
import { may } from '#core/state/session.ts';

/** Tells whether the caller may have private macros. Every writer of reports may. */
export const canWriteMacros = (): boolean => may(reports.create);

/** Tells whether the caller may change templates and shared macros of the organization. */
export const canEditShared = (): boolean => may(templates.create);

/** Tells whether the caller may change global templates. */
export const canEditGlobals = (): boolean => may(globalTemplates.create);
