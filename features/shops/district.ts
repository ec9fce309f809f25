// Its features in their order: each may import of those before it, and of earlier districts. A new one is a line here.
import { feature as agentDesk } from '#features/office/agents/desk/feature.ts'
import type { Feature } from '#server/feature.ts'
import { feature as merchants } from './merchants/feature.ts'
import { feature as messages } from './messages/feature.ts'
import { feature as posChanges } from './pos-changes/feature.ts'
import { feature as signatures } from './signatures/feature.ts'
import { feature as versions } from './versions/feature.ts'

export const shops = {
  versions,
  merchants,
  agentDesk,
  posChanges,
  signatures,
  messages,
} satisfies Record<string, Feature>
