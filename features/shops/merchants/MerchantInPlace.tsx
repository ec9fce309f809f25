import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Out } from '#kit/declare/op.ts'
import { api, refusalOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { usePermission, useSession } from '#web/client/session.ts'
import { EditableCell } from '#web/controls/EditableCell.tsx'
import { toast } from '#web/controls/toast.ts'
import type { merchants } from './contract.ts'
import {
  type MerchantRefusal,
  REFUSALS,
  refuseDisabled,
  refuseRemark,
  refuseSignature,
  refuseSigner,
} from './rules.ts'
import { AskedSignature } from './slots.tsx'

const merchantsApi = api<typeof merchants>('merchants')

const LISTS = {
  queryKey: ['merchants'],
  predicate: (query: { queryKey: readonly unknown[] }) =>
    ['list', 'overdue'].includes(String(query.queryKey[1])),
}

type Field = 'remark' | 'signature'
type Editable = Pick<Out<typeof merchants.list>['rows'][number], 'id' | 'shopName' | 'status' | Field>
type Page = { rows: Editable[] }
type Change = { row: Editable; text: string }

const FIELDS = {
  remark: {
    title: '备注',
    placeholder: '最多50字',
    refuse: refuseRemark,
    lock: () => null,
    send: ({ row, text }: Change) => merchantsApi.setRemark({ id: row.id, remark: text }),
  },
  signature: {
    title: '短信签名',
    placeholder: REFUSALS.SIGNATURE_REQUIRED,
    refuse: refuseSignature,
    lock: (row: Editable) => refuseDisabled(row.status),
    send: ({ row, text }: Change) => merchantsApi.setSignature({ id: row.id, signature: text }),
  },
} as const

const messageOf = (code: MerchantRefusal | null) => code && REFUSALS[code]

/** Text of a row that is edited where it stands. It shows at once what was typed and goes back when it is refused. */
export function InPlace({ row, field }: { row: Editable; field: Field }) {
  const queries = useQueryClient()
  const mayEdit = usePermission('merchants.edit')
  const session = useSession()
  const { title, placeholder, refuse, lock, send } = FIELDS[field]
  const show = (text: string) => {
    const edited = <R extends { id: number }>(other: R) =>
      other.id === row.id ? { ...other, [field]: text } : other
    queries.setQueriesData<Page>(LISTS, page => page && { ...page, rows: page.rows.map(edited) })
    queries.setQueryData<Editable>(
      merchantsApi.details.key({ id: row.id }),
      merchant => merchant && edited(merchant),
    )
  }
  const change = useMutation({
    mutationFn: (changed: Change): Promise<unknown> => send(changed),
    onMutate: async changed => {
      await queries.cancelQueries(LISTS)
      show(changed.text)
    },
    onSuccess: () => {
      toast.success('修改成功')
      return reread()
    },
    onError: (error, changed) => {
      show(changed.row[field])
      const refusal = refusalOf(error)
      if (!refusal) return
      toast.error(refusal.message)
      // What refused it, such as the shop having been disabled, should show too.
      readAgain('merchants.list', 'merchants.overdue')
    },
  })
  if (field === 'signature' && refuseSigner(session) !== null) return <AskedSignature shop={row} />
  if (!mayEdit) return row[field]
  return (
    <EditableCell
      label={`${title} ${row.shopName}`}
      value={row[field]}
      placeholder={placeholder}
      lock={messageOf(lock(row))}
      refuse={text => messageOf(refuse(text))}
      save={text => change.mutate({ row, text })}
    />
  )
}
