import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { consultations as contract } from './contract.ts'
import { CONSULTATIONS_PER_MOBILE, CONSULTATIONS_PER_NETWORK } from './rules.ts'
import { consultationsRouter as router } from './server.ts'
import { inbox } from './server-inbox.ts'

export const feature = {
  contract,
  router,
  inbox,
  settings: [CONSULTATIONS_PER_MOBILE, CONSULTATIONS_PER_NETWORK],
  permissions: permissionNodes([
    [65, 6, 74, 'consultations.list', '官网咨询', '/admin/operations/consultations', '888'],
  ]),
} satisfies Feature
