import { useQuery } from '@tanstack/react-query'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import type { Out } from '#kit/declare/op.ts'
import { formatCents } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { useSession } from '#web/client/session.ts'
import { Money } from '#web/controls/format.tsx'
import { List } from '#web/list/List.tsx'
import { CappedNotes, RowCount, Sum } from '#web/list/ListTotals.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import type { ledger } from './contract.ts'
import { DOCUMENT_CELLS } from './documentCells.tsx'
import { BALANCE_CHANGES } from './fields.ts'
import { useOpenOrder } from './useOpenOrder.tsx'

const ledgerApi = api<typeof ledger>('ledger')

type Answer = Out<typeof ledger.changes>
type Row = Answer['rows'][number]

/** Balance changes (D3 §2): what came in, what went out, before and after. */
export default function BalanceChangesPage() {
  const session = useSession()
  const order = useOpenOrder()
  const [{ agentId, from, to, search }] = useListParams(BALANCE_CHANGES)
  const findsNumbersOnly = session.isVendorStaff && agentId === undefined && (!from || !to)
  return (
    <List
      of={BALANCE_CHANGES}
      from={ledgerApi.changes}
      cells={CELLS}
      options={OPTIONS}
      onOpen={row => order.open(row.orderNo)}
      searchPlaceholder={findsNumbersOnly ? '订单号（或后8位） / 商户ID' : undefined}
      summary={totals => <Totals totals={totals} searchesNumbers={findsNumbersOnly && Boolean(search)} />}
    />
  )
}

function Totals({ totals, searchesNumbers }: { totals: Answer; searchesNumbers: boolean }) {
  return (
    <>
      <Sum label="收入" value={formatCents(totals.incomeCents)} unit="代币" />
      <Sum label="支出" value={formatCents(totals.spentCents)} unit="代币" />
      <RowCount totals={totals} />
      {searchesNumbers && <span>仅按订单号、后8位或商户ID查找；选择代理商或起止日期后可查找说明和备注</span>}
      <CappedNotes totals={totals} summed="收入和支出" />
    </>
  )
}

const CELLS = {
  ...DOCUMENT_CELLS,
  amountCents: (row: Row) => <Money cents={row.amountCents} signed />,
}

const OPTIONS = {
  actorId: {
    useRows: (enabled: boolean) => useQuery({ ...ledgerApi.changeActors.query(), enabled }).data?.rows,
  },
  agentId: AGENT_OPTIONS,
}
