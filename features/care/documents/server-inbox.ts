// Papers of shops that have ended or soon will.

import { and, eq, inArray, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { formatDay } from '#kit/time.ts'
import type { InboxSource } from '#server/ctx.ts'
import { isWord } from '#server/office/inbox.ts'
import { DOCUMENT_KINDS, WARN_DAYS } from './rules.ts'
import { documents } from './tables.ts'

const DAYS = sql.raw(String(WARN_DAYS[0]))

export const inbox: readonly InboxSource[] = [
  {
    key: 'documents.ending',
    label: '证件到期',
    folded: '份证件快到期或已到期',
    permission: 'documents.view',
    decides: 'documents.keep',
    for: 'partner',
    table: documents,
    id: documents.id,
    since: sql`((${documents.expiresOn} - ${DAYS})::timestamp at time zone 'Asia/Shanghai')`,
    order: documents.expiresOn,
    waits: ({ own, now }) =>
      and(
        own(documents.agentId),
        isWord(documents.state, 'current'),
        sql`${documents.expiresOn} is not null`,
        sql`${documents.expiresOn} <= (${now} at time zone 'Asia/Shanghai')::date + ${DAYS}`,
        // Of a shop that is disabled no paper can be replaced.
        sql`exists (select from ${merchants} where ${merchants.id} = ${documents.merchantId} and ${merchants.status} <> 'disabled')`,
      ),
    async shown(ctx, ids) {
      const today = formatDay(ctx.now)
      const rows = await ctx.db
        .select({
          id: documents.id,
          kind: documents.kind,
          expiresOn: documents.expiresOn,
          merchantId: documents.merchantId,
          shopName: merchants.shopName,
          agentId: documents.agentId,
          agentName: agents.companyName,
        })
        .from(documents)
        .innerJoin(merchants, eq(merchants.id, documents.merchantId))
        .innerJoin(agents, eq(agents.id, documents.agentId))
        .where(inArray(documents.id, [...ids]))
      return rows.map(({ kind, expiresOn, ...row }) => ({
        ...row,
        about: row.shopName,
        title: `${DOCUMENT_KINDS[kind]}${(expiresOn ?? '') < today ? '已到期' : '快到期'}`,
        detail: `有效期至 ${expiresOn ?? ''}，请商户提供新的并上传`,
        link: `/admin/merchant/merchantDetails?user_id=${row.merchantId}`,
      }))
    },
  },
]
