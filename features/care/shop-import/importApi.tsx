import type { Out } from '#kit/declare/op.ts'
import { formatCount } from '#kit/money.ts'
import { api, messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import type { shopImport } from './contract.ts'

export const importApi = api<typeof shopImport>('shopImport')
export type ImportRow = Out<typeof shopImport.list>['rows'][number]
export type ImportDetails = Out<typeof shopImport.details>
export type ImportLine = Out<typeof shopImport.rows>['rows'][number]

export const TEMPLATE_ADDRESS = '/api/shop-imports/template.xlsx'

export function fileAddress(id: number, file: 'failed' | 'results'): string {
  return `/api/shop-imports/${id}/${file}.xlsx`
}

/** Does it, says so, and asks again for what it has changed. */
export async function act(work: () => Promise<unknown>, said: string): Promise<void> {
  try {
    await work()
    toast.success(said)
    await reread()
  } catch (error) {
    toast.error(messageOf(error))
    readAgain('shopImport')
  }
}

/** One of the figures of an import, in one line with the others. */
export function Counted({
  label,
  count,
  tone,
}: {
  label: string
  count: number
  tone?: 'attention' | 'problem'
}) {
  return (
    <div>
      <dt>{label}</dt>
      <dd data-tone={count > 0 ? tone : undefined}>{formatCount(count)}</dd>
    </div>
  )
}
