import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ColumnSetting } from '#kit/declare/columns.ts'
import { api, messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { useSession, useViewOnly } from '#web/client/session.ts'
import { toast } from '#web/controls/toast.ts'
import type { ListServices, ListViews } from '#web/list/list-services.ts'
import type { views } from './contract.ts'
import { NAME_MAX, REFUSALS, refuseName, refuseShare } from './rules.ts'

const viewsApi = api<typeof views>('views')

const COLUMNS = ['views', 'columns']
const SENT_AFTER_MS = 800
const NONE: readonly ColumnSetting[] = []

type Kept = { list: string; columns: ColumnSetting[] }[]

/** What was arranged and is not yet on the server; it counts more than what the server answers meanwhile. */
const unsent = new Map<string, { columns: ColumnSetting[]; timer: ReturnType<typeof setTimeout> }>()

function withUnsent(kept: Kept): Kept {
  const others = kept.filter(row => !unsent.has(row.list))
  const own = [...unsent].map(([list, { columns }]) => ({ list, columns }))
  return [...others, ...own.filter(row => row.columns.length > 0)]
}

/** The columns of a list as the account arranged them; this browser remembers them for its next visit. */
export const useColumns: ListServices['useColumns'] = list => {
  const { accountId } = useSession()
  const viewOnly = useViewOnly()
  const queries = useQueryClient()
  const kept = useQuery({
    queryKey: COLUMNS,
    queryFn: async () => {
      const rows = withUnsent((await viewsApi.columns()).rows)
      remember(accountId, rows)
      return rows
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    placeholderData: () => remembered(accountId),
  })
  const send = async (columns: ColumnSetting[]) => {
    try {
      await viewsApi.setColumns({ list, columns })
      if (unsent.get(list)?.columns === columns) unsent.delete(list)
    } catch (error) {
      unsent.delete(list)
      toast.error(`列设置没有保存：${messageOf(error)}`)
      readAgain(COLUMNS.join('.'))
    }
  }
  return {
    settings: kept.data?.find(row => row.list === list)?.columns ?? NONE,
    save(settings) {
      const columns = [...settings]
      // Another's columns are arranged for this look alone.
      if (viewOnly) {
        const others = (kept.data ?? []).filter(row => row.list !== list)
        queries.setQueryData<Kept>(COLUMNS, [...others, { list, columns }])
        return
      }
      clearTimeout(unsent.get(list)?.timer)
      unsent.set(list, { columns, timer: setTimeout(() => void send(columns), SENT_AFTER_MS) })
      const all = withUnsent(queries.getQueryData<Kept>(COLUMNS) ?? kept.data ?? [])
      queries.setQueryData<Kept>(COLUMNS, all)
      remember(accountId, all)
    },
  }
}

const keyOf = (accountId: number) => `list-columns-${accountId}`

function remember(accountId: number, kept: Kept): void {
  localStorage.setItem(keyOf(accountId), JSON.stringify(kept))
}

function remembered(accountId: number): Kept | undefined {
  const text = localStorage.getItem(keyOf(accountId))
  return text === null ? undefined : (JSON.parse(text) as Kept)
}

/** Own and shared views of a list, and what can be done with them. */
export const useViews: ListServices['useViews'] = (list, wanted): ListViews => {
  const { userType } = useSession()
  const key = ['views', 'list', list]
  const query = useQuery({
    queryKey: key,
    queryFn: () => viewsApi.list({ list }),
    enabled: wanted,
    staleTime: 30_000,
  })
  const rows = query.data?.rows
  const shareRefusal = refuseShare(true, userType === 0)
  return {
    rows,
    error: query.error,
    shareRefusal: shareRefusal && REFUSALS[shareRefusal],
    nameMax: NAME_MAX,
    refuseName(name, except) {
      const others = (rows ?? []).filter(({ id }) => id !== except).map(view => view.name)
      const refusal = refuseName(name, others)
      return refusal && REFUSALS[refusal]
    },
    async save(name, isShared, content) {
      await viewsApi.save({ list, name, isShared, ...content })
      await reread()
    },
    async change(id, changed) {
      await viewsApi.change({ id, ...changed })
      await reread()
    },
    async remove(id) {
      await viewsApi.remove({ id })
      await reread()
    },
  }
}
