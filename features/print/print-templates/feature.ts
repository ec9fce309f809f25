import type { Feature } from '#server/feature.ts'
import { printTemplatesAtPos } from './contract-pos.ts'
import { printTemplatesPosRouter } from './server-pos.ts'

/** Its operations stand in the contracts of the kinds: see README.md. */
export const feature = {
  pos: { contract: printTemplatesAtPos, router: printTemplatesPosRouter },
} satisfies Feature
