// Requests to be forgotten that wait for a second operator.
import { inArray } from 'drizzle-orm'
import type { InboxSource } from '#server/ctx.ts'
import { isWord } from '#server/office/inbox.ts'
import { personErasures as erasures } from './tables.ts'

export const inbox: readonly InboxSource[] = [
  {
    key: 'person-erasures.approve',
    label: '复核个人信息删除',
    permission: 'personErasures.manage',
    for: 'staff',
    table: erasures,
    id: erasures.id,
    since: erasures.requestedAt,
    waits: () => isWord(erasures.state, 'asked'),
    async shown(ctx, ids) {
      const found = await ctx.db
        .select({ id: erasures.id, phone: erasures.phoneMasked, by: erasures.requestedByName })
        .from(erasures)
        .where(inArray(erasures.id, [...ids]))
      return found.map(({ id, phone, by }) => ({
        id,
        title: phone,
        detail: `${by}申请删除个人信息`,
        merchantId: null,
        shopName: '',
        agentId: null,
        agentName: '',
        about: phone,
        link: `/admin/operations/person-erasures?erasure=${id}`,
      }))
    },
  },
]
