import { useState } from 'react'
import { formatCount } from '#kit/money.ts'
import { usePermission } from '#web/client/session.ts'
import { Choice } from '#web/form/Choice.tsx'
import { usePhone } from '#web/theme/usePhone.ts'
import styles from './import.module.css'
import type { ImportDetails } from './importApi.tsx'
import { LineCards } from './LineCards.tsx'
import { LineGrid } from './LineGrid.tsx'
import { SHOWN_ROWS, type ShownRows } from './rules.ts'

/** The lines of the file, of which some can be looked at alone; while it has not begun each cell is edited in place. */
export function Lines({ data }: { data: ImportDetails }) {
  const { id, state, counts, mode, heads } = data
  const isDraft = state === 'draft'
  const mayChange = usePermission('shopImport.import')
  const phone = usePhone()
  const [asked, setAsked] = useState<ShownRows | null>(null)
  const counted: [ShownRows, number][] = isDraft
    ? [
        ['all', counts.rows],
        ['faulty', counts.faulty],
        ['duplicate', counts.duplicates],
        ['fine', counts.fine],
      ]
    : [
        ['all', counts.rows],
        ['created', counts.created],
        ['failed', counts.failed],
        ['rolledBack', data.takenBack],
        ['kept', counts.kept],
      ]
  const only = asked ?? (isDraft && counts.faulty > 0 ? 'faulty' : 'all')
  const shown = {
    id,
    only,
    mode,
    heads,
    editable: isDraft && mayChange,
    total: counted.find(([key]) => key === only)?.[1] ?? 0,
  }
  return (
    <section className={styles.lines} aria-label="表格内容">
      <Choice
        label="只看"
        value={only}
        options={counted
          .filter(([key, count]) => key === 'all' || key === only || count > 0)
          .map(([value, count]) => ({ value, label: `${SHOWN_ROWS[value]} ${formatCount(count)}` }))}
        onChange={setAsked}
      />
      {phone ? <LineCards key={only} {...shown} /> : <LineGrid key={only} {...shown} />}
    </section>
  )
}
