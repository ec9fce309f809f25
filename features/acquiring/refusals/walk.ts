import { drizzle } from 'drizzle-orm/node-postgres'
import type { Office } from '#test/app.ts'
import type { FeatureWalk } from '#test/walk-types.ts'
import { refusalCauses } from './tables.ts'

let made = 0

/** A cause that has met nobody yet; answers its id and its reason. */
export async function makeCause(office: Office): Promise<{ id: number; reason: string }> {
  const reason = `走查原因${'甲'.repeat(++made)}`
  const now = new Date().toISOString()
  const [row] = await drizzle(office.owner)
    .insert(refusalCauses)
    .values({
      ...{ field: 'email', label: '联系邮箱', cause: reason, reason, refusedBy: 'staff' },
      ...{ firstAt: now, lastAt: now },
    })
    .returning({ id: refusalCauses.id })
  return { id: row?.id as number, reason }
}

/** Causes are the vendor's: an agent is told what is advised with its own application. */
export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  scene: async ({ office }) => ({ cause: (await makeCause(office)).id }),
  attempts: {
    'refusals.causes': [{ as: () => ({}), expect: ['FORBIDDEN'] }],
    'refusals.details': [{ as: ({ extra }) => ({ id: extra.cause }), expect: ['FORBIDDEN'] }],
    'refusals.advise': [
      { as: ({ extra }) => ({ id: extra.cause, revision: 0, advice: '换一个' }), expect: ['FORBIDDEN'] },
    ],
  },
  scoped: [],
  reads: desk => ({ 'refusals.details': async () => ({ id: (await makeCause(desk.office)).id }) }),
  changes: desk => ({
    'refusals.advise': {
      async accepted() {
        const { id, reason } = await makeCause(desk.office)
        return desk.asOperator({ id, revision: 0, advice: '请换一个邮箱' }, reason)
      },
      refused: {
        input: async () => ({ id: (await makeCause(desk.office)).id, revision: 3, advice: '' }),
        code: 'STALE',
      },
    },
  }),
}
