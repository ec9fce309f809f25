import { LEDGER_REFUSALS } from '#features/money/ledger/rules.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import { codeText, linesText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { SMS_REFUSALS } from './rules.ts'

const refusal = z.object({ code: z.string(), message: z.string() }).nullable()

export const sms = {
  /** Packages on offer at the buyer's price, and the shop's SMS credit; tokens in 1/100. */
  packages: op(
    { permission: 'sms.buy' },
    { method: 'GET', path: '/merchants/{merchantId}/sms-packages', summary: 'SMS packages for a shop' },
  )
    .input(z.object({ merchantId: whole(1) }))
    .output(
      z.object({
        rows: z.array(
          z.object({
            id: z.number(),
            name: z.string(),
            pieces: z.number(),
            priceCents: z.number(),
            /** The name of the offer that applied. */
            offer: z.string().optional(),
            totalCents: z.number(),
          }),
        ),
        discountBasisPoints: z.number(),
        balanceCents: z.number(),
        /** Pieces that the shop holds. */
        credit: z.number(),
        /** Why nothing can be bought for this shop now, or null. */
        refusal,
      }),
    ),
  /** Pays a package with the agent's tokens. `totalCents` is what the page showed; another price is refused. */
  buy: op(
    {
      permission: 'sms.buy',
      log: '购买短信包',
      idempotent: true,
      stale: ['sms', 'smsDesk', 'ledger', 'merchants', 'settlement', 'renewals', 'dashboard'],
    },
    {
      method: 'POST',
      path: '/merchants/{merchantId}/sms-packages',
      summary: 'Buy an SMS package for a shop',
    },
  )
    .errors(errorsOf({ ...LEDGER_REFUSALS, ...SMS_REFUSALS }))
    .input(
      z.object({
        merchantId: whole(1),
        packageId: z.number().int(),
        remark: linesText.max(500).default(''),
        totalCents: z.number().int(),
      }),
    )
    .output(
      z.object({
        orderNo: z.string(),
        totalCents: z.number(),
        smsBefore: z.number(),
        smsAfter: z.number(),
        balanceAfterCents: z.number(),
      }),
    ),
  /** What can be recalled from a shop, and whether that needs a code sent to its phone. */
  recallable: op(
    { permission: 'sms.recall' },
    { method: 'GET', path: '/merchants/{merchantId}/sms-credit', summary: 'SMS credit of a shop' },
  )
    .input(z.object({ merchantId: whole(1) }))
    .output(
      z.object({
        credit: z.number(),
        needsRecoveryCode: z.boolean(),
        /** Masked; where the code is sent. */
        phone: z.string(),
        /** SMS credit of the agent that it returns to. */
        agentSms: z.number(),
        refusal,
      }),
    ),
  /** Takes SMS credit back from a shop to its agent. */
  recall: op(
    {
      permission: 'sms.recall',
      log: '回收短信',
      idempotent: true,
      stale: ['sms', 'smsDesk', 'ledger', 'merchants', 'renewals'],
    },
    { method: 'POST', path: '/merchants/{merchantId}/sms-recalls', summary: 'Recall SMS credit of a shop' },
  )
    .errors(errorsOf({ ...LEDGER_REFUSALS, ...SMS_REFUSALS }))
    .input(
      z.object({
        merchantId: whole(1),
        pieces: z.number(),
        code: codeText.max(12).default(''),
      }),
    )
    .output(
      z.object({ orderNo: z.string(), smsBefore: z.number(), smsAfter: z.number(), agentSms: z.number() }),
    ),
  /** Hands SMS credit of the agent to a shop for nothing (SmsHandle with type 0). */
  gift: op(
    {
      permission: 'sms.gift',
      log: '赠送短信',
      idempotent: true,
      stale: ['sms', 'smsDesk', 'ledger', 'merchants', 'renewals'],
    },
    { method: 'POST', path: '/merchants/{merchantId}/sms-gifts', summary: 'Give SMS credit to a shop' },
  )
    .errors(errorsOf({ ...LEDGER_REFUSALS, ...SMS_REFUSALS }))
    .input(z.object({ merchantId: whole(1), pieces: z.number(), remark: linesText.max(500).default('') }))
    .output(
      z.object({ orderNo: z.string(), smsBefore: z.number(), smsAfter: z.number(), agentSms: z.number() }),
    ),
}
