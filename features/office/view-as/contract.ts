import { errorsOf, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import * as z from '#kit/declare/z.ts'
import { REFUSALS } from './rules.ts'

const Viewed = z.object({ name: z.string(), until: z.string() })

export const viewAs = {
  /** The operator sees what an agent's owner sees, and changes nothing. */
  agent: op(
    { unshown: 'the page loads afresh', permission: 'viewAs.agent', log: '以代理商身份查看', forKeys: false },
    { method: 'POST', path: '/agents/{id}/view', summary: 'Look through the account of an agent, read-only' },
  )
    .errors(errorsOf(REFUSALS))
    .input(z.object({ id: whole(1) }))
    .output(Viewed),
  /** An owner sees what one of its staff sees, and changes nothing. `id` is the account's. */
  staff: op(
    {
      unshown: 'the page loads afresh',
      permission: 'viewAs.staff',
      log: '以员工身份查看',
      forKeys: false,
      whileSuspended: true,
    },
    {
      method: 'POST',
      path: '/accounts/{id}/view',
      summary: 'Look through the account of a colleague, read-only',
    },
  )
    .errors(errorsOf(REFUSALS))
    .input(z.object({ id: whole(1) }))
    .output(Viewed),
  /** Back to oneself; the viewer's own session goes on. */
  end: op(
    { permission: 'session', ephemeral: true, whileViewing: true, whileSuspended: true },
    { method: 'DELETE', path: '/session/view', summary: 'End looking through another account' },
  ).output(z.object({ ended: z.literal(true) })),
}
