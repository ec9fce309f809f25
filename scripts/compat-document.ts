// npm run compat:document: writes docs/COMPAT.md from the table of calls.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compatDocument } from '#compat/document.ts'

writeFileSync(fileURLToPath(new URL('../docs/COMPAT.md', import.meta.url)), compatDocument())
