import { storedFiles } from '@radwork/contract/imaging/stored-files';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { sendFile } from './send-file.ts';

export const storedFileRoutes = ({ serveStream }: Routes, context: Context) => {
  serveStream('', storedFiles.download, (call) => sendFile(context, call));
};
