// Defines all commands, so that the page of keyboard settings lists them without opening their screens.
import '#app/reading-mode/reading-commands.ts';
import '#app/shell/screen-commands.ts';
import '#imaging/studies/study-commands.ts';
import '#reading/chat/chat-commands.ts';
import '#reading/critical-findings/finding-commands.ts';
import '#reading/dictation/dictation-commands.ts';
import '#reading/report-delivery/delivery-commands.ts';
import '#reading/reports/report-commands.ts';
import '#reading/sharing/share-commands.ts';
import '#reading/workflow/workflow-commands.ts';
import type { Command } from '#ui/keyboard/command.ts';
import { knownCommands } from '#ui/keyboard/commands.ts';

/** Returns all commands whose keys the user can change, by their group. */
export const commandGroups = (): { name: string; commands: Command[] }[] =>
  Object.entries(Object.groupBy(knownCommands(), ({ group }) => group)).map(([name, commands = []]) => ({
    name,
    commands,
  }));
