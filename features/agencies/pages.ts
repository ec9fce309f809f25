// The pages of its features. A feature with pages is a line here.
import type { RoutePage } from '#kit/declare/pages.ts'
import { PAGES as agentProfile } from './agent-profile/pages.ts'
import { PAGES as apiKeys } from './api-keys/pages.ts'
import { PAGES as compatAccess } from './compat-access/pages.ts'
import {
  PAGES as partnerApplications,
  PUBLIC_PAGES as publicPartnerApplications,
} from './partner-applications/pages.ts'
import { PAGES as partnerClosing } from './partner-closing/pages.ts'
import { PUBLIC_PAGES as publicPartners } from './partners/pages.ts'
import { PAGES as signIn } from './sign-in/pages.ts'
import { PAGES as team } from './team/pages.ts'
import { PAGES as webhooks } from './webhooks/pages.ts'

export const PAGES = [
  ...signIn,
  ...agentProfile,
  ...partnerApplications,
  ...partnerClosing,
  ...team,
  ...apiKeys,
  ...compatAccess,
  ...webhooks,
] as const satisfies readonly RoutePage[]

export const PUBLIC_PAGES = [...publicPartners, ...publicPartnerApplications] as const
