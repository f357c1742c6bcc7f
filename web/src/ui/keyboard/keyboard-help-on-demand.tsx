import { dialogOnDemand } from '#ui/feedback/on-demand.tsx';

/** Dialog with the keyboard shortcuts. Its code loads on demand, because no screen needs it at first. */
export const KeyboardHelpOnDemand = dialogOnDemand(async () => (await import('./keyboard-help.tsx')).KeyboardHelp);
