import { useState } from 'react'
import { DOCUMENT_CELLS } from '#features/money/ledger/documentCells.tsx'
import { useOpenOrder } from '#features/money/ledger/useOpenOrder.tsx'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import type { Out } from '#kit/declare/op.ts'
import { formatCount } from '#kit/money.ts'
import { cleanCode } from '#kit/words/cleaned.ts'
import { api } from '#web/client/api.ts'
import { look } from '#web/controls/look.ts'
import { Labelled } from '#web/form/Labelled.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import { List } from '#web/list/List.tsx'
import { CappedNotes, RowCount, Sum } from '#web/list/ListTotals.tsx'
import type { PickerProps } from '#web/list/options.ts'
import type { smsDesk } from './contract.ts'
import { SMS_ENTRIES } from './fields.ts'
import { Paid } from './Paid.tsx'

const smsDeskApi = api<typeof smsDesk>('smsDesk')

type Row = Out<typeof smsDesk.merchantChanges>['rows'][number]

/** Every change of SMS credit on the agent's own account, or on that of one shop (D3 §2, SMS change list). */
export default function MerchantSmsChangesPage() {
  const order = useOpenOrder()
  return (
    <List
      of={SMS_ENTRIES}
      from={smsDeskApi.merchantChanges}
      cells={CELLS}
      options={OPTIONS}
      onOpen={row => order.open(row.orderNo)}
      summary={totals => (
        <>
          <Sum label="转入" value={formatCount(totals.income)} unit="条" />
          <Sum label="转出" value={formatCount(totals.spent)} unit="条" />
          <RowCount totals={totals} />
          <CappedNotes totals={totals} summed="转入和转出" />
        </>
      )}
    />
  )
}

const CELLS = {
  ...DOCUMENT_CELLS,
  totalCents: (row: Row) => <Paid {...row} />,
  pieces: ({ pieces }: Row) => (
    <span className={look.number}>
      {pieces > 0 ? '+' : '−'}
      {formatCount(Math.abs(pieces))}
    </span>
  ),
}

/** The shop whose account is shown, by its id; empty: the agent's own account. */
function ShopField({ label, value, onChange }: PickerProps) {
  const [typed, setTyped] = useState(value === undefined ? '' : String(value))
  const isWrong = typed !== '' && !/^\d{8}$/.test(typed)
  const apply = () => {
    if (!isWrong) onChange(typed === '' ? undefined : Number(typed))
  }
  return (
    <Labelled label={label}>
      <TextInput
        aria-label="商户ID，留空为本账户"
        placeholder="商户ID，留空为本账户"
        inputMode="numeric"
        maxLength={8}
        value={typed}
        aria-invalid={isWrong}
        onChange={text => setTyped(cleanCode(text))}
        onKeyDown={event => event.key === 'Enter' && apply()}
        onBlur={apply}
      />
    </Labelled>
  )
}

const OPTIONS = {
  merchantId: {
    useName: () => undefined,
    Picker: (props: PickerProps) => <ShopField key={props.value} {...props} />,
  },
  agentId: AGENT_OPTIONS,
}
