import { lazy, Suspense, useState } from 'react'
import { AgentPicker } from '#features/agents/AgentPicker.tsx'
import { Choice, FilterRow, Labelled, OrderDates } from '#features/services/OrderDates.tsx'
import { useFiltersInWords } from '#features/services/orderActions.tsx'
import { type ActiveFilter, type ListAnswer, ListPage, type ListProps } from '#web/list/ListPage.tsx'
import { type ListParams, useListParams } from '#web/list/useListParams.ts'

const PaymentDialog = lazy(() => import('./PaymentDialog.tsx'))

export const NO_PAYMENT = '没有对应的支付单'

type ChoiceFilter = {
  /** The parameter. */
  key: string
  label: string
  names: Readonly<Record<string, string>>
}
export type DayParams = { from?: string; to?: string }
type Params = ListParams & DayParams & { agentId?: number }

type Filters = {
  choices: readonly ChoiceFilter[]
  byDays?: boolean
  byAgent?: boolean
}

type Props<Row, Asked extends ListParams, Answer extends ListAnswer<Row>> = Filters &
  Omit<ListProps<Row, Asked, Answer>, 'ownParams' | 'queryKey' | 'filters' | 'onOpen' | 'openKey'> & {
    /** The payment that a row is about, null where it fits none. Opened by the column that `opens`, else by an action of the row. */
    paymentOf?: (row: Row) => string | null
  }

/** One list of the operator's page, with its filters and the payment that is open over it. */
export function PaymentList<Row, Asked extends ListParams, Answer extends ListAnswer<Row>>({
  choices,
  byDays,
  byAgent,
  paymentOf,
  ...list
}: Props<Row, Asked, Answer>) {
  const [opened, setOpened] = useState<string | null>(null)
  const chips = useChips(choices)
  const opensRows = list.columns.some(column => column.opens)
  const openAction = (id: string | null) => ({
    key: 'payment',
    label: '支付单',
    disabled: id === null ? NO_PAYMENT : null,
    onClick: () => setOpened(id),
  })
  return (
    <>
      <ListPage<Row, Asked, Answer>
        {...list}
        ownParams={['view']}
        queryKey={list.listKey.split('.')}
        filters={<FilterControls choices={choices} byDays={byDays} byAgent={byAgent} />}
        activeFilters={[...chips, ...(list.activeFilters ?? [])]}
        onOpen={opensRows && paymentOf ? row => setOpened(paymentOf(row)) : undefined}
        openKey={opened}
        rowActions={
          paymentOf && !opensRows
            ? row => [openAction(paymentOf(row)), ...(list.rowActions?.(row) ?? [])]
            : list.rowActions
        }
      />
      <Suspense>{opened !== null && <PaymentDialog id={opened} onClose={() => setOpened(null)} />}</Suspense>
    </>
  )
}

function useFilterParams() {
  const [params, setParams] = useListParams<Params>()
  const chosen = params as Readonly<Record<string, string | undefined>>
  return { params, chosen, setParams }
}

function FilterControls({ choices, byDays, byAgent }: Filters) {
  const { params, chosen, setParams } = useFilterParams()
  return (
    <FilterRow>
      {choices.map(({ key, label, names }) => (
        <Choice
          key={key}
          label={label}
          names={names}
          value={chosen[key]}
          onChange={value => setParams({ [key]: value })}
        />
      ))}
      {byDays && <OrderDates from={params.from} to={params.to} onChange={setParams} />}
      {byAgent && (
        <Labelled label="代理商">
          <AgentPicker value={params.agentId} onChange={agentId => setParams({ agentId })} />
        </Labelled>
      )}
    </FilterRow>
  )
}

function useChips(choices: readonly ChoiceFilter[]): ActiveFilter[] {
  const { params, chosen, setParams } = useFilterParams()
  const words = useFiltersInWords(params, () => setParams({ from: undefined, to: undefined }))
  const chips = choices.flatMap(({ key, label, names }) => {
    const value = chosen[key]
    return value ? [{ key, label, text: names[value] ?? value }] : []
  })
  return [...chips, ...words.days, ...words.agent]
}
