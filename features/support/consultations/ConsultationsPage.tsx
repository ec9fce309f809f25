import { api } from '#web/client/api.ts'
import { List } from '#web/list/List.tsx'
import { type ConsultationRow, Contacted, useContact } from './Contacted.tsx'
import type { consultations } from './contract.ts'
import { CONSULTATIONS } from './fields.ts'

const consultationsApi = api<typeof consultations>('consultations')
const CELLS = {
  contacted: { copy: undefined, render: (row: ConsultationRow) => <Contacted row={row} /> },
}

/** Who asked on the website to be called, for the vendor's staff. */
export default function ConsultationsPage() {
  const { change } = useContact()
  return (
    <List
      of={CONSULTATIONS}
      from={consultationsApi.list}
      cells={CELLS}
      rowActions={row => [
        { key: 'contact', label: row.contacted ? '撤销标记' : '标记已联系', onClick: () => change(row) },
      ]}
      actionsWidth={112}
    />
  )
}
