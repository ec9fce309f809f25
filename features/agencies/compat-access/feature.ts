import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { compatAccess as contract } from './contract.ts'
import { LIMITS } from './rules.ts'
import { compatAccessRouter as router } from './server.ts'
import { hubPrograms } from './server-hub.ts'

export const feature = {
  contract,
  router,
  permissions: permissionNodes([
    [505, 5, 101, 'compatAccess.uses', '旧接口', '/admin/account/compatUses', '888'],
    [506, 505, 102, 'compatAccess.setCall', '停用旧接口', '/admin/account/compatUses#setCall', '888'],
  ]),
  clearing: [
    'delete from compat_tokens where expires_at < now()',
    `delete from compat_nonces where created_at < now() - interval '${4 * LIMITS.clockMinutes} minutes'`,
    `delete from compat_acts where begun_at < now() - interval '${LIMITS.oneActS} seconds'`,
    // A verifier goes with the key that bounds it.
    `delete from compat_accesses a using api_keys k where k.id = a.key_id and (k.ended_at is not null or k.expires_at < now())`,
  ],
  realtime: services => ({ programs: hubPrograms(services) }),
} satisfies Feature
