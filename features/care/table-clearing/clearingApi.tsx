import type { Out } from '#kit/declare/op.ts'
import { api, messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import type { tableClearing } from './contract.ts'

export const clearingApi = api<typeof tableClearing>('tableClearing')
export type ClearingRow = Out<typeof tableClearing.list>['rows'][number]
export type ClearingDetails = Out<typeof tableClearing.details>
export type ShopTable = Out<typeof tableClearing.tables>['tables'][number]

/** How often one is looked at that goes on. */
export const LOOK_AGAIN_MS = 1_500

/** Does it, says so, and asks again for what it has changed. */
export async function act(work: () => Promise<unknown>, said: string): Promise<void> {
  try {
    await work()
    toast.success(said)
    await reread()
  } catch (error) {
    toast.warning(messageOf(error))
    readAgain('tableClearing')
  }
}
