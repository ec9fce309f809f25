import { Conditions } from '#features/shops/versions/contract.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { codeText, madeText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { PAY_CHANNELS } from '#kit/ports/channels.ts'
import { ATTEMPT_STATUS_KEYS, CASHIER_REFUSALS, INTENT_STATUS_KEYS, START_REFUSALS } from './rules.ts'

const channel = z.enum(PAY_CHANNELS)
/** Of an intent: 22 or more digits. */
const queryId = z.string().regex(/^\d{10,30}$/)
const token = z.string().regex(/^[\w-]{20,64}$/)

/** What the page shows while it waits for the money. Money in fen. */
const Shown = z.object({
  queryId: z.string(),
  orderNo: z.string(),
  subject: z.string(),
  amountFen: z.number(),
  /** What the QR carries: the cashier's address. With one channel alone, `codeUrl` is shown instead once it is known. */
  payUrl: z.string(),
  /** Seconds for which the QR is shown before `refresh` is asked (the documents' "expired"). */
  expired: z.number(),
  expiresAt: z.string(),
  /** Seconds until the order ends, by the server's clock. */
  remainingSeconds: z.number(),
  channels: z.array(channel),
  /** native: one channel alone, whose own code is shown. */
  mode: z.enum(['both', 'native']),
  /** The channel's own code; null until the channel has answered (`result` tells it then), and where both are offered. */
  codeUrl: z.string().nullable(),
  /** Where a simulated phone pays a code (`?code=` and the code's text), while simulators run; else null. */
  phoneUrl: z.string().nullable(),
})

const startErrors = errorsOf(START_REFUSALS)
/** What the page showed as its price, in fen; another one is refused (PRICE_CHANGED). Null: it showed none. */
const shownFen = z.number().int().nullable().default(null)
/** What it showed as given beside it, in pieces or 1/100 token; another number is refused likewise. Null: it showed none. */
const shownBonus = z.number().int().nullable().default(null)

const RechargePackage = z.object({
  id: z.number(),
  name: z.string(),
  pieces: z.number(),
  priceFen: z.number(),
  /** What beside the discount decides this buyer's price now. */
  conditions: Conditions,
})

export const payments = {
  /** What can be topped up. */
  offer: op(
    { permission: 'payments.sms' },
    { method: 'GET', path: '/payments/offer', summary: 'Packages and prices of topping up from outside' },
  ).output(
    z.object({
      /** What the account may buy. */
      sms: z.boolean(),
      tokens: z.boolean(),
      packages: z.array(RechargePackage),
      discountBasisPoints: z.number(),
      /** As a package's, where none is chosen. */
      conditions: Conditions,
      /** Fen for a hundred pieces, where no package is chosen. */
      smsHundredFen: z.number(),
      /** Fen for one token (100 of its smallest unit). */
      tokenFen: z.number(),
      limits: z.object({ piecesMax: z.number(), tokenCentsMax: z.number(), amountFenMax: z.number() }),
      /** Empty: nothing can be paid now. */
      channels: z.array(channel),
      balanceCents: z.number(),
      smsBalance: z.number(),
    }),
  ),
  /** The documents' postConvergePay for SMS credit: a package, or a number of pieces. */
  startSms: op(
    { permission: 'payments.sms', log: '短信充值下单', idempotent: true, stale: ['smsDesk'] },
    { method: 'POST', path: '/payments/sms', summary: 'Order SMS credit, to be paid by QR' },
  )
    .errors(startErrors)
    .input(
      z.object({
        packageId: z.number().int().nullable().default(null),
        /** Where no package is chosen. */
        pieces: z.number().nullable().default(null),
        amountFen: shownFen,
        bonus: shownBonus,
      }),
    )
    .output(Shown),
  /** The same for tokens, in 1/100 token. */
  startTokens: op(
    {
      unshown: 'its order is in no list',
      permission: 'payments.tokens',
      log: '代币充值下单',
      idempotent: true,
    },
    { method: 'POST', path: '/payments/tokens', summary: 'Order tokens, to be paid by QR' },
  )
    .errors(startErrors)
    .input(
      z.object({ tokenCents: z.number().nullable().default(null), amountFen: shownFen, bonus: shownBonus }),
    )
    .output(Shown),
  /** The same intent with a QR that counts for another 30 s; refused once it is paid or has ended. */
  refresh: op(
    { permission: 'session', ephemeral: true },
    { method: 'POST', path: '/payments/{queryId}/refresh', summary: 'Show the QR of an unpaid intent anew' },
  )
    .errors(startErrors)
    .input(z.object({ queryId }))
    .output(Shown),
  /** The documents' getConvergePayResult: 1/1 paid and credited, 0/0 keep waiting, -1/0 over, with `msg`. */
  result: op(
    { permission: 'session', forKeys: true },
    { method: 'GET', path: '/payments/{queryId}/result', summary: 'How a payment stands' },
  )
    .input(z.object({ queryId }))
    .output(
      z.object({
        action: z.union([z.literal(1), z.literal(0), z.literal(-1)]),
        status: z.union([z.literal(1), z.literal(0)]),
        msg: z.string(),
        /** Ours, more exact. */
        state: z.enum(INTENT_STATUS_KEYS),
        remainingSeconds: z.number(),
        /** With one channel alone: its own code, once known. */
        codeUrl: z.string().nullable(),
        /** When the channels were last asked; null: never. */
        askedAt: z.string().nullable(),
      }),
    ),
  /**
   * "Payment check" of an SMS order that is not complete. Has the channels asked now. `result` 1: paid. 0 with `asking`:
   * poll `result` of `queryId` until its `askedAt` is another than this one, at most 6 s; still unpaid: warn.
   */
  check: op(
    { permission: 'smsDesk.orders', ephemeral: true, whileSuspended: true },
    { method: 'POST', path: '/payments/checks', summary: 'Ask the channels whether an SMS order was paid' },
  )
    .input(z.object({ orderNo: codeText.min(1).max(40) }))
    .output(
      z.object({
        queryId: z.string(),
        /** 1: paid (已支付，请刷新). 0: not paid (未支付), as far as is known. */
        result: z.union([z.literal(0), z.literal(1)]),
        asking: z.boolean(),
        askedAt: z.string().nullable(),
      }),
    ),

  /** Public. What the payer's phone shows; an unknown token answers NOT_FOUND. Poll it every 1.5 s while it waits. */
  cashier: op(
    { permission: 'public' },
    { method: 'GET', path: '/cashier/{token}', summary: 'What is to be paid at this address' },
  )
    .input(z.object({ token }))
    .output(
      z.object({
        subject: z.string(),
        amountFen: z.number(),
        /** Who gets the money. */
        payee: z.string(),
        /** Path of a picture, or null. */
        payeeLogo: z.string().nullable(),
        status: z.enum(INTENT_STATUS_KEYS),
        remainingSeconds: z.number(),
        channels: z.array(
          z.object({
            channel,
            /** Null: not asked for yet; send `cashierAttempt`. */
            status: z.enum(ATTEMPT_STATUS_KEYS).nullable(),
            /** To be shown as a QR, or opened in the browser of the channel's own app. */
            codeUrl: z.string().nullable(),
            /** Inside the channel's app: where to get the payer's code; it comes back here as `?code=`. Null: cannot pay in place. */
            authorizeUrl: z.string().nullable(),
            /** Inside the channel's app: what its browser's bridge takes, once known. */
            parameters: z.record(z.string(), z.string()).nullable(),
          }),
        ),
        /** Where a simulated phone pays a code, while simulators run; else null. */
        phoneUrl: z.string().nullable(),
      }),
    ),
  /** Public. The payer wants this channel: its code is made, once; the cashier's answer has it a moment later. */
  cashierAttempt: op(
    { unshown: 'the payer polls the cashier', permission: 'public', log: '打开收银台' },
    { method: 'POST', path: '/cashier/{token}/attempts', summary: 'Open a channel of payment' },
  )
    .errors(errorsOf(CASHIER_REFUSALS))
    .input(z.object({ token, channel }))
    .output(z.object({ status: z.enum(ATTEMPT_STATUS_KEYS) })),
  /** Public. The payer in the browser of the channel's app came back with its code; `parameters` appear in the cashier's answer. */
  cashierInApp: op(
    { unshown: 'the payer polls the cashier', permission: 'public', log: '渠道内支付' },
    { method: 'POST', path: '/cashier/{token}/in-app', summary: "Pay inside the channel's own app" },
  )
    .errors(errorsOf(CASHIER_REFUSALS))
    .input(z.object({ token, channel, code: madeText.min(1).max(128) }))
    .output(z.object({ status: z.enum(ATTEMPT_STATUS_KEYS) })),
}
