import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { receipts } from './contract.ts'

export const receiptsApi = api<typeof receipts>('receipts')

export type GroupRow = Out<typeof receipts.groups>['rows'][number]
export type ReceiptRow = Out<typeof receipts.list>['rows'][number]
export type ReceiptDetails = Out<typeof receipts.details>

export const LIST_PATH = '/admin/template/ticketGroup'
export const GROUP_PATH = '/admin/template/createGroup'
export const EDIT_PATH = '/admin/template/editTicketStyle'
export const DESIGN_PATH = '/admin/template/ticketPrinting'

export function idOf(asked: unknown): number | null {
  const id = Number(asked)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}
