import { useState } from 'react'
import {
  BATCH_LIMITS,
  type BatchRow,
  readTable,
  rowsOfTable,
  type Table,
} from '#kit/print/batch/batch-rows.ts'
import { type BatchField, COPIES_HEAD, namesOf } from '#kit/print/batch/fields.ts'
import { SHEET_KINDS } from '#kit/words/sheet.ts'
import { messageOf } from '#web/client/api.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Choice } from '#web/form/Choice.tsx'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { base64Of } from '#web/form/files/base64.ts'
import { MatchedColumns } from '#web/form/files/MatchedColumns.tsx'
import { SheetFile } from '#web/form/files/SheetFile.tsx'
import { SheetNotes } from '#web/form/files/SheetNotes.tsx'
import { Labelled } from '#web/form/Labelled.tsx'
import styles from './batch.module.css'
import { batchesApi, type Template } from './batch.tsx'
import { BATCH_REFUSALS, FILE_LIMITS } from './rules.ts'

type Content = Pick<BatchRow, 'data' | 'copies'>
type Props = {
  template: Template
  fields: readonly BatchField[]
  /** There are rows already. */
  hasRows: boolean
  onRows: (rows: Content[], below: boolean) => void
  onClose: () => void
}

/** A table is read, its columns are matched, and its lines become rows. */
export default function FileDialog({ template, fields, hasRows, onRows, onClose }: Props) {
  const [table, setTable] = useState<Table | null>(null)
  const [name, setName] = useState('')
  const [said, setSaid] = useState('')
  const [notes, setNotes] = useState<readonly string[]>([])
  const [busy, setBusy] = useState(false)
  const [below, setBelow] = useState(false)
  const read = async (file: File) => {
    setTable(null)
    setSaid('')
    setNotes([])
    setName(file.name)
    if (file.size > FILE_LIMITS.fileBytes) return setSaid(BATCH_REFUSALS.FILE_TOO_LARGE)
    setBusy(true)
    try {
      const heads = [...namesOf(fields).keys()]
      const { lines, notes: told } = await batchesApi.readFile({ bytes: await base64Of(file), heads })
      setTable(readTable(lines, fields))
      setNotes(told)
    } catch (error) {
      setSaid(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const rows = table ? rowsOfTable(table) : []
  const why = whyNot(table, rows)
  return (
    <Dialog
      title="从表格读取"
      width={680}
      busy={busy}
      dirty={false}
      onClose={onClose}
      footer={
        <>
          <CloseButton>取消</CloseButton>
          <Button
            kind="primary"
            changes={false}
            busy={busy}
            disabled={why}
            onClick={() => {
              onRows(rows, below)
              onClose()
            }}
          >
            {rows.length > 0 ? `放入 ${rows.length} 行` : '放入'}
          </Button>
        </>
      }
    >
      <div className={styles.dialog}>
        <p className={look.quiet}>
          支持 {SHEET_KINDS}，最多 {BATCH_LIMITS.rows.toLocaleString('en-US')}{' '}
          行。列名与模板里的内容同名时自动对应；没有“份数”一列时每行 1 份。
        </p>
        <p>
          <a
            className={buttonLook('link')}
            href={`/api/label-batch-templates/${template.id}/table.xlsx`}
            download
          >
            下载表格模板
          </a>
        </p>
        <Labelled label="表格">
          <SheetFile aria-describedby="batch-file-said" onFile={file => file && void read(file)} />
        </Labelled>
        <p id="batch-file-said" role="alert" className={styles.problem}>
          {said || (table && typeof why === 'string' ? why : '')}
        </p>
        <SheetNotes notes={notes} />
        {table && <Matching table={table} fields={fields} name={name} onChange={setTable} />}
        {table && hasRows && (
          <Choice
            label="已有的行"
            look="lines"
            value={below}
            onChange={setBelow}
            options={[
              { value: false, label: '替换已有的行' },
              { value: true, label: '接在已有的行后面' },
            ]}
          />
        )}
      </div>
    </Dialog>
  )
}

function whyNot(table: Table | null, rows: readonly Content[]): string | null {
  if (!table) return '请先选择表格'
  if (table.heads.every(({ field }) => field === null)) return '没有认出列名，请在下面逐列选择'
  const twice = table.heads.find(
    ({ field }, at) => field !== null && table.heads.findIndex(head => head.field === field) !== at,
  )
  if (twice) return `“${twice.name}”与另一列对应了同一项，请只留一列`
  return rows.length === 0 ? '对应的列里没有内容' : null
}

type MatchingProps = {
  table: Table
  fields: readonly BatchField[]
  name: string
  onChange: (table: Table) => void
}

function Matching({ table, fields, name, onChange }: MatchingProps) {
  return (
    <>
      <h3 className={look.sectionTitle}>列的对应</h3>
      <p className={look.quiet}>
        {name}：左边是表格里的列，右边是它在标签上的内容，共 {table.lines.length} 行。
      </p>
      <MatchedColumns
        heads={table.heads}
        values={table.heads.map(({ field }) => field)}
        options={[...fields, { key: 'copies', label: COPIES_HEAD }]}
        none="不使用"
        onChange={values =>
          onChange({
            ...table,
            heads: table.heads.map((head, at) => ({ ...head, field: values[at] ?? null })),
          })
        }
      />
    </>
  )
}
