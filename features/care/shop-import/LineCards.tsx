import { useState } from 'react'
import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { sheetLook } from '#web/form/files/sheet-look.ts'
import { COLUMNS, lineFields } from './fields.ts'
import styles from './import.module.css'
import { type ImportLine, importApi } from './importApi.tsx'
import { columnsOf, LineState } from './LineGrid.tsx'
import { type Shown, useLines } from './useLines.tsx'

const CARD_PX = 136
const BOX_PX = 560

/** The lines on a phone, of which those are drawn that are seen; a press opens all cells of one. */
export function LineCards(shown: Shown) {
  const { lines, above, below, onScroll } = useLines(shown, CARD_PX, BOX_PX)
  const [opened, setOpened] = useState<ImportLine | null>(null)
  return (
    <>
      <section
        aria-label="店铺"
        className={sheetLook.box}
        style={{ maxHeight: BOX_PX }}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached with keys, too.
        tabIndex={0}
        onScroll={onScroll}
      >
        <ul className={styles.cardList} style={{ paddingTop: above, paddingBottom: below }}>
          {lines.map(({ at, line }) => (
            <li key={at} className={styles.card}>
              {line && (
                <>
                  <p className={styles.cardName}>
                    {line.cells.shopName ?? '（没有店铺名称）'}{' '}
                    <span className={look.quiet}>第 {line.line} 行</span>
                  </p>
                  <p className={look.quiet}>
                    {line.cells.personName} {line.cells.account}
                  </p>
                  <p className={styles.cardFault}>{line.problem || line.faults[0]?.message || ''}</p>
                  <div className={styles.cardActs}>
                    <LineState line={line} importId={shown.id} editable={shown.editable} />
                    <Button changes={false} onClick={() => setOpened(line)}>
                      {shown.editable ? '修改' : '查看'}
                    </Button>
                  </div>
                </>
              )}
            </li>
          ))}
        </ul>
        {shown.total === 0 && <p className={styles.none}>没有这样的行</p>}
      </section>
      {opened && <LineDialog key={opened.id} shown={shown} line={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

type Props = { shown: Shown; line: ImportLine; onClose: () => void }

/** All cells of one line, on a phone. */
function LineDialog({ shown, line, onClose }: Props) {
  const columns = columnsOf(shown)
  const before = Object.fromEntries(columns.map(key => [key, line.cells[key] ?? '']))
  const lock = shown.editable && line.state === 'pending' ? null : '已开始导入，不能修改'
  return (
    <FormDialog
      title={`第 ${line.line} 行`}
      submitText="保存"
      of={lineFields(columns)}
      known={before}
      refuse={() => (lock === null ? null : { field: columns[0] ?? '', message: lock })}
      send={async values => {
        const changed = Object.fromEntries(
          columns.filter(key => values[key] !== before[key]).map(key => [key, values[key].trim()]),
        )
        const { faults } = await importApi.editRow({ id: shown.id, rowId: line.id, cells: changed })
        readAgain('shopImport')
        await reread()
        const [fault] = faults
        if (fault) toast.warning(`${COLUMNS[fault.column].label}：${fault.message}`)
        else toast.success('已保存')
      }}
      onClose={onClose}
      told={Object.fromEntries(
        columns.map(key => [key, { lock, hint: line.faults.find(({ column }) => column === key)?.message }]),
      )}
    />
  )
}
