// npm start: builds the page if a source changed, then runs the office from its sources.
import { fileURLToPath } from 'node:url'
import { buildPageIfNeeded } from './build-page.ts'
import { runOffice, say } from './run.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
runOffice({ root, pages: () => buildPageIfNeeded(root, say) })
