// Its features in their order: each may import of those before it, and of earlier districts. A new one is a line here.
import type { Feature } from '#server/feature.ts'
import { feature as agentProfile } from './agent-profile/feature.ts'
import { feature as apiKeys } from './api-keys/feature.ts'
import { feature as compatAccess } from './compat-access/feature.ts'
import { feature as partnerApplications } from './partner-applications/feature.ts'
import { feature as partnerClosing } from './partner-closing/feature.ts'
import { feature as partners } from './partners/feature.ts'
import { feature as pos } from './pos/feature.ts'
import { feature as signIn } from './sign-in/feature.ts'
import { feature as team } from './team/feature.ts'
import { feature as webhooks } from './webhooks/feature.ts'

export const agencies = {
  signIn,
  agentProfile,
  partners,
  partnerApplications,
  partnerClosing,
  team,
  apiKeys,
  compatAccess,
  webhooks,
  pos,
} satisfies Record<string, Feature>
