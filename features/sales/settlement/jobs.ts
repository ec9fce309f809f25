import type { Job } from '#server/jobs.ts'
import { REQUEST_CLOSED } from './rules.ts'
import { endUndecided } from './server-pending.ts'

export const jobs: readonly Job[] = [
  {
    name: 'close-undo-requests',
    cron: '47 * * * *',
    async run(owner, services) {
      await endUndecided(services)
      const close = `update undo_requests set state = 'rejected', decided_at = now(), decision = $1
         where state = 'pending' and`
      await owner.query(
        `${close} case kind
           when 'version' then exists (select 1 from version_orders where order_no = undo_requests.order_no and status = 'recycled')
           when 'service' then exists (select 1 from service_orders where order_no = undo_requests.order_no and state = 'recalled')
           when 'sms' then exists (select 1 from sms_orders where order_no = undo_requests.order_no and status = 'recycled')
           else not exists (select 1 from version_orders where batch_no = undo_requests.order_no and status = 'paid') end`,
        [REQUEST_CLOSED.undone],
      )
    },
  },
]
