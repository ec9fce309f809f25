// Whether SMS arrive: a service is connected, and a message was delivered.
import { and, desc, eq } from 'drizzle-orm'
import type { SetupStep } from '#server/ctx.ts'
import { smsStep, TEST_TEMPLATE } from './rules.ts'
import { outboxMessages } from './tables.ts'

export const setup: readonly SetupStep[] = [
  {
    key: 'messages.service',
    label: '短信',
    for: 'operator',
    permission: 'messageDesk.outbox',
    order: 50,
    optional: true,
    path: '/admin/operations/outbox',
    async read(ctx) {
      const [last] = await ctx.db
        .select({
          status: outboxMessages.status,
          errorCode: outboxMessages.errorCode,
          errorText: outboxMessages.errorText,
        })
        .from(outboxMessages)
        .where(and(eq(outboxMessages.kind, 'account-notice'), eq(outboxMessages.template, TEST_TEMPLATE)))
        .orderBy(desc(outboxMessages.createdAt), desc(outboxMessages.id))
        .limit(1)
      return smsStep(ctx.services.providers.connections.sms, last)
    },
  },
]
