// Whether SMS arrive: a service is connected, and a message was delivered.
import type { SetupStep } from '#server/ctx.ts'
import { smsStep } from './rules.ts'
import { lastTest } from './server-outbox.ts'

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
      const last = await lastTest(ctx)
      return smsStep(ctx.services.providers.connections.sms, last)
    },
  },
]
