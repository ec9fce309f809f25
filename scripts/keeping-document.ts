// npm run keeping:document: writes docs/KEEPING.md from what is declared of each table.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { keepingDocument } from '#app/keeping-document.ts'

writeFileSync(fileURLToPath(new URL('../docs/KEEPING.md', import.meta.url)), keepingDocument())
