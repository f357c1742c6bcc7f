// Before any schema is made: our content security policy forbids to compile code from text, and zod would try.
globalThis.__zod_globalConfig = { jitless: true };
