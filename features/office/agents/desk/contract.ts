import { MerchantRow } from '#features/shops/merchants/contract.ts'
import { REFUSALS } from '#features/shops/merchants/rules.ts'
import { fileOf, listInput } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, searchText, whole } from '#kit/declare/page.ts'
import { linesText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { SECONDARY_MERCHANTS } from './fields.ts'
import { CHECKED_MAX, OWNER_REFUSALS } from './rules.ts'

export const agentDesk = {
  /** Who owns an agency: how they sign in, and on how many devices they are. */
  owners: op(
    { permission: 'agentDesk.secure' },
    { method: 'GET', path: '/agents/{id}/owners', summary: 'Owners of an agency' },
  )
    .input(z.object({ id: whole(1) }))
    .output(
      z.object({
        rows: z.array(
          z.object({
            id: z.number(),
            name: z.string(),
            loginName: z.string(),
            hasFactor: z.boolean(),
            devices: z.number(),
          }),
        ),
      }),
    ),
  /** For an owner who has lost them; `checked` says how the operator knows who asks. */
  resetOwnerFactors: op(
    {
      permission: 'agentDesk.secure',
      log: '重置代理商二次验证',
      stepUp: true,
      stale: ['agentDesk.owners', 'partnerDesk.people'],
    },
    {
      method: 'DELETE',
      path: '/agents/{id}/owners/{accountId}/factors',
      summary: 'Take away the second factors of an owner',
    },
  )
    .errors(errorsOf(OWNER_REFUSALS))
    .input(z.object({ id: whole(1), accountId: whole(1), checked: linesText.max(CHECKED_MAX + 64) }))
    .output(z.object({ done: z.literal(true) })),
  endOwnerSessions: op(
    {
      permission: 'agentDesk.secure',
      log: '下线代理商设备',
      stepUp: true,
      stale: ['agentDesk.owners', 'partnerDesk.people'],
    },
    {
      method: 'DELETE',
      path: '/agents/{id}/owners/{accountId}/sessions',
      summary: 'End all sessions of an owner',
    },
  )
    .errors(errorsOf(OWNER_REFUSALS))
    .input(z.object({ id: whole(1), accountId: whole(1) }))
    .output(z.object({ ended: z.number() })),
  /** Of the agents under the acting one; for vendor staff, of all agents that have a parent. */
  secondary: op(
    { permission: 'agentDesk.secondary', scope: 'below', mayLag: true },
    { method: 'GET', path: '/merchants/secondary', summary: 'Merchants of sub-agents' },
  )
    .errors(errorsOf({ SEARCH_TOO_SHORT: REFUSALS.SEARCH_TOO_SHORT }))
    .input(z.object(listInput(SECONDARY_MERCHANTS)))
    .output(pageOf(MerchantRow)),
  /** For the filter of `secondary`: at most 20 sub-agents whose number or name matches. */
  secondaryAgents: op(
    { permission: 'agentDesk.secondary' },
    { method: 'GET', path: '/merchants/secondary/agents', summary: 'Sub-agents for a picker' },
  )
    .input(z.object({ search: searchText }))
    .output(z.object({ rows: z.array(z.object({ id: z.number(), companyName: z.string() })) })),
}

export const agentDeskDownloads = { secondary: fileOf(SECONDARY_MERCHANTS) }
