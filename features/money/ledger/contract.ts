import { fileOf, listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { linesText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { BALANCE_CHANGES, CHANGE_FIELDS } from './fields.ts'
import { CREDITED_ASSETS, LEDGER_REFUSALS } from './rules.ts'

export const ChangeRow = z.object(outputShape(CHANGE_FIELDS, 'row'))

export const ledger = {
  /** The acting agent's tokens (1/100) and SMS credit (pieces). */
  wallet: op(
    { permission: 'ledger.wallet' },
    { method: 'GET', path: '/wallet', summary: 'Balances of the acting agent' },
  ).output(z.object({ tokenCents: z.number(), sms: z.number() })),
  /** Movements of an agent's tokens, newest first; vendor staff see every agent's. Totals cover all that is filtered. */
  changes: op(
    { permission: 'ledger.changes' },
    { method: 'GET', path: '/wallet/changes', summary: 'Balance changes' },
  )
    .input(z.object(listInput(BALANCE_CHANGES)))
    .output(pageOf(ChangeRow).extend({ incomeCents: z.number(), spentCents: z.number() })),
  /** People who may stand as operator of a change, for the filter. */
  changeActors: op(
    { permission: 'ledger.changes' },
    {
      method: 'GET',
      path: '/wallet/change-actors',
      summary: 'Accounts of the acting agent for the operator filter',
    },
  ).output(z.object({ rows: z.array(z.object({ id: z.number(), name: z.string() })) })),
  /** The operator gives an agent prepaid tokens or SMS credit. `amount` in 1/100 token, or pieces. */
  credit: op(
    {
      permission: 'ledger.credit',
      log: '代理商充值',
      idempotent: true,
      stale: ['ledger', 'partnerDesk'],
      stepUp: true,
    },
    { method: 'POST', path: '/agents/{agentId}/credits', summary: 'Credit an agent' },
  )
    .errors(errorsOf(LEDGER_REFUSALS))
    .input(
      z.object({
        agentId: whole(1),
        asset: z.enum(CREDITED_ASSETS),
        amount: z.number().int(),
        reason: linesText.max(200),
      }),
    )
    .output(z.object({ documentNo: z.string(), balanceAfter: z.number() })),
}

export const ledgerDownloads = { changes: fileOf(BALANCE_CHANGES) }
