import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import type { BackgroundExport } from '#web/list/list-services.ts'
import type { exports } from './contract.ts'

const exportsApi = api<typeof exports>('exports')

const CONDITIONS_MAX = 300

/** Starts an export of a list in the background; the header then looks at it. */
export async function startExport({ href, rowsExpected, conditions }: BackgroundExport): Promise<void> {
  const { pathname, searchParams } = new URL(href, location.origin)
  await exportsApi.start({
    path: pathname.replace(/^\/api/, ''),
    query: Object.fromEntries(searchParams),
    rowsExpected,
    conditions: conditions.slice(0, CONDITIONS_MAX),
  })
  await reread()
}
