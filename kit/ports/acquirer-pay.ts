// What the office asks of an acquirer by its protocol: a payment through a merchant's number there, and its refund.

export type AcquirerOrder = {
  /** The acquirer's number of the merchant. */
  merchant: string
  /** Our number, up to 32 letters and digits, never used before at this merchant. */
  orderNo: string
  amountFen: number
  subject: string
  /** After so many minutes nobody can pay it any more. */
  minutes: number
}
export type AcquirerRefund = { merchant: string; orderNo: string; refundNo: string; amountFen: number }

/** closed: nobody paid, and nobody can any more. */
export type AcquirerPayState = 'waiting' | 'paid' | 'failed' | 'closed'
/** none: the acquirer has no such refund. */
export type AcquirerRefundState = 'done' | 'processing' | 'failed' | 'none'

/**
 * An acquirer whose protocol we speak. Each call rejects with ProviderRefused or ProviderUnknown; after the latter of `refund` it is asked
 * by `queryRefund`, and an order whose `create` was not answered has no code that anybody could pay.
 */
export type AcquirerDesk = {
  /** Answers what to show as a QR code. */
  create(order: AcquirerOrder): Promise<{ codeUrl: string }>
  /** `paidAt`: ISO instant, where it was paid. */
  query(merchant: string, orderNo: string): Promise<{ state: AcquirerPayState; paidAt: string | null }>
  /** Nobody can pay it from now on; what was paid before stays paid. */
  close(merchant: string, orderNo: string): Promise<void>
  /** Under the same `refundNo` it is one refund, however often it is asked. */
  refund(refund: AcquirerRefund): Promise<AcquirerRefundState>
  queryRefund(merchant: string, refundNo: string): Promise<AcquirerRefundState>
  /** In Chinese: why it was refused (a ProviderRefused), and what to do. */
  troubleOf(refused: { code: string; message: string }): string
}
