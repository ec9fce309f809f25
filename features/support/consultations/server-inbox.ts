// Who asked on the website to be called, and was not yet.

import { inArray, sql } from 'drizzle-orm'
import type { InboxSource } from '#server/ctx.ts'
import { consultations as rows } from './tables.ts'

export const inbox: readonly InboxSource[] = [
  {
    key: 'consultations.call',
    label: '联系官网咨询',
    permission: 'consultations.list',
    for: 'staff',
    table: rows,
    id: rows.id,
    since: rows.createdAt,
    waits: () => sql`${rows.contacted} = false`,
    decided: {
      is: () => sql`${rows.contacted} = true`,
      at: rows.contactedAt,
      byName: rows.contactedByName,
      order: rows.createdAt,
    },
    async shown(ctx, ids) {
      const found = await ctx.db
        .select({ id: rows.id, name: rows.name, mobile: rows.mobile, content: rows.content })
        .from(rows)
        .where(inArray(rows.id, [...ids]))
      return found.map(({ id, name, mobile, content }) => ({
        id,
        title: `${name} ${mobile}`,
        detail: content || '没有填写咨询内容',
        merchantId: null,
        shopName: '',
        agentId: null,
        agentName: '',
        about: mobile,
        link: '/admin/operations/consultations?contacted=false',
      }))
    },
  },
]
