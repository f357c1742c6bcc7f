import { reports } from '@radwork/contract/reading/reports';
import { globalTemplates, templates } from '@radwork/contract/reading/templates';
import { may } from '#core/state/session.ts';

/** Whether the caller may have private macros. Every user who writes reports may. */
export const canWriteMacros = (): boolean => may(reports.create);

/** Whether the caller may change the organization's templates and shared macros. */
export const canEditShared = (): boolean => may(templates.create);

/** Whether the caller may change global templates. */
export const canEditGlobals = (): boolean => may(globalTemplates.create);
