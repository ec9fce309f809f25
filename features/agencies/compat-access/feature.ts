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
    { table: 'compat_tokens', at: 'expires_at' },
    { table: 'compat_nonces', at: 'created_at', after: { minutes: 4 * LIMITS.clockMinutes } },
    { table: 'compat_acts', at: 'begun_at', after: { seconds: LIMITS.oneActS } },
    // A verifier goes with the key that bounds it.
    {
      table: 'compat_accesses',
      at: '(select least(k.ended_at, k.expires_at) from api_keys k where k.id = key_id)',
    },
  ],
  realtime: services => ({ programs: hubPrograms(services) }),
} satisfies Feature
