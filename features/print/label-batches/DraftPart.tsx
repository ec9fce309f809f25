import { lazy, useEffect, useMemo, useState } from 'react'
import { formatCount } from '#kit/money.ts'
import { BATCH_LIMITS, type BatchRow, copiesOf } from '#kit/print/batch/batch-rows.ts'
import { type BatchField, fieldsOf } from '#kit/print/batch/fields.ts'
import { gridOf, SHEET_SETUP } from '#kit/print/batch/sheet.ts'
import { useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { Choice } from '#web/form/Choice.tsx'
import { usePhone } from '#web/theme/usePhone.ts'
import styles from './batch.module.css'
import { type Batch, type BatchContent, labelsIn, sheetsOf } from './batch.tsx'
import { batchDeeds, type Draft, draftOf, keepDraft, NOT_BEGUN } from './batchStore.tsx'
import { RowCards } from './RowCards.tsx'
import { RowTable } from './RowTable.tsx'
import { SheetPart } from './SheetPart.tsx'
import { TemplateChoice } from './TemplateChoice.tsx'
import { type RowFaults, useRowFaults } from './useRowFaults.tsx'
import { useRows } from './useRows.tsx'
import { runWayOf, useWays, WayPart } from './WayPart.tsx'

const FileDialog = lazy(() => import('./FileDialog.tsx'))
const GoodsDialog = lazy(() => import('./GoodsDialog.tsx'))

const KEPT_AFTER_MS = 300
const NEW_DRAFT: Draft = { template: null, rows: [], way: null, setup: SHEET_SETUP, start: 0 }
const NO_LABEL = { width: 0, height: 0 }

/** What happens to rows that would be wrong on paper. */
type Wrong = 'mend' | 'skip' | 'print'

/** What is to be printed: the label, its rows, the way to paper. */
export function DraftPart() {
  const { accountId } = useSession()
  const [draft, setDraft] = useState<Draft>(() => draftOf(accountId) ?? NEW_DRAFT)
  const put = (changed: Partial<Draft>) => setDraft(before => ({ ...before, ...changed }))
  useEffect(() => {
    const timer = setTimeout(() => keepDraft(accountId, draft), KEPT_AFTER_MS)
    return () => clearTimeout(timer)
  }, [accountId, draft])
  const { template, setup, start } = draft
  const fields = useMemo(() => (template ? fieldsOf(template.content) : []), [template])
  const rows = useRows(draft.rows, fields, changed => put({ rows: changed }))
  const ways = useWays(draft.way)
  const faults = useRowFaults(template?.content ?? null, draft.rows, ways.dots)
  const [wrong, setWrong] = useState<Wrong>('mend')
  const [stood, setStood] = useState<number | null>(null)
  const shownRow = rows.filled.find(({ id }) => id === stood) ?? rows.filled[0]
  const judged = judge(rows.filled, fields, faults, wrong)
  const sheet = ways.onSheets ? { setup, start } : null
  const { cells } = gridOf(template?.content ?? NO_LABEL, setup)
  const sheets = template && sheet && cells > 0 ? sheetsOf({ template, rows: judged.printed, sheet }) : 0
  const labels = labelsIn(judged.printed)
  const why = whyNot({ rows: rows.filled, faults, judged, wrong, labels, hasRoom: !sheet || cells > 0 })

  const begin = async () => {
    if (!template || !ways.way) return
    const batch: Batch = {
      id: crypto.randomUUID(),
      startedAt: new Date().toISOString(),
      ...{ template, fields, sheet, rows: judged.printed, way: runWayOf(ways.way) },
    }
    keepDraft(accountId, draft)
    const refused = await batchDeeds.begin(batch)
    if (refused) toast.error(NOT_BEGUN[refused])
    // The next batch uses up what this one leaves of its last sheet.
    else keepDraft(accountId, { ...draft, rows: [], start: sheet ? (start + labels) % cells : start })
  }
  return (
    <>
      <section className={styles.part} aria-labelledby="batch-template">
        <h2 id="batch-template" className={look.sectionTitle}>
          标签模板
        </h2>
        <TemplateChoice
          template={template}
          data={shownRow?.data ?? null}
          onChange={chosen => put({ template: chosen, start: 0 })}
        />
      </section>
      {template && (
        <>
          <section className={styles.part} aria-labelledby="batch-rows">
            <h2 id="batch-rows" className={look.sectionTitle}>
              内容
            </h2>
            <RowsPart {...{ template, fields, rows, faults }} onStand={row => setStood(row.id)} />
            {judged.wrong > 0 && (
              <div className={styles.wrong}>
                <span>{judged.wrong} 行有误：</span>
                <Choice
                  label="有误的行"
                  look="lines"
                  value={wrong}
                  onChange={setWrong}
                  options={[
                    { value: 'mend', label: '先改好' },
                    { value: 'skip', label: '跳过' },
                    { value: 'print', label: '照样打印' },
                  ]}
                />
              </div>
            )}
          </section>
          <section className={styles.part} aria-labelledby="batch-way">
            <h2 id="batch-way" className={look.sectionTitle}>
              打印方式
            </h2>
            <WayPart {...ways} onChange={way => put({ way })} />
            {ways.onSheets && (
              <SheetPart label={template.content} {...{ setup, start, labels }} onChange={put} />
            )}
          </section>
          <div className={styles.foot}>
            <p role="status">
              {formatCount(judged.printed.length)} 行，{formatCount(labels)} 张标签
              {sheets > 0 && `，${formatCount(sheets)} 张 A4`}
            </p>
            <Button kind="primary" changes={false} disabled={why} onClick={() => void begin()}>
              {ways.way?.kind === 'pdf'
                ? '下载 PDF'
                : ways.way?.kind === 'browser'
                  ? '打开并打印'
                  : '开始打印'}
            </Button>
          </div>
        </>
      )}
    </>
  )
}

type Judged = { printed: BatchContent[]; wrong: number; badCopies: number }

/** What would be printed as things are. */
function judge(
  rows: readonly BatchRow[],
  fields: readonly BatchField[],
  faults: RowFaults,
  wrong: Wrong,
): Judged {
  const found: Judged = { printed: [], wrong: 0, badCopies: 0 }
  for (const row of rows) {
    const copies = copiesOf(row.copies)
    const stops = faults.of(row)?.some(fault => fault.stops) ?? false
    if (stops) found.wrong += 1
    if (copies === null && wrong === 'print') found.badCopies += 1
    if (copies !== null && (!stops || wrong === 'print'))
      found.printed.push({ data: dataOf(row, fields), copies })
  }
  return found
}

/** What the label shows, and nothing that another template has left. */
const dataOf = ({ data }: BatchRow, fields: readonly BatchField[]) =>
  Object.fromEntries(fields.flatMap(({ key }) => (data[key] ? [[key, data[key]]] : [])))

type Asked = {
  rows: readonly BatchRow[]
  faults: RowFaults
  judged: Judged
  wrong: Wrong
  labels: number
  hasRoom: boolean
}

/** Why it cannot begin. */
function whyNot({ rows, faults, judged, wrong, labels, hasRoom }: Asked): string | null {
  if (rows.length === 0) return '请先填写内容，或从表格、店铺商品加入'
  if (faults.failed) return faults.failed
  if (faults.pending) return '正在检查每一行'
  if (wrong === 'mend' && judged.wrong > 0) return `${judged.wrong} 行有误，请改好，或选择跳过`
  if (judged.badCopies > 0) return `${judged.badCopies} 行的份数不对，请先改好`
  if (judged.printed.length === 0) return '每一行都有误，请先改好'
  if (labels > BATCH_LIMITS.labels) return `一批最多 ${formatCount(BATCH_LIMITS.labels)} 张标签，请分几批打印`
  return hasRoom ? null : 'A4 纸上放不下一张标签'
}

type RowsPartProps = {
  template: NonNullable<Draft['template']>
  fields: ReturnType<typeof fieldsOf>
  rows: ReturnType<typeof useRows>
  faults: RowFaults
  onStand: (row: BatchRow) => void
}

function RowsPart({ template, fields, rows, faults, onStand }: RowsPartProps) {
  const [bringing, setBringing] = useState<'file' | 'goods' | null>(null)
  const leave = () => setBringing(null)
  const phone = usePhone()
  const Shown = phone ? RowCards : RowTable
  const clear = async () => {
    const isMeant = await confirm({
      title: `清空 ${rows.filled.length} 行？`,
      text: '已填写的内容将丢失。',
      confirmText: '清空',
      danger: true,
      changes: false,
    })
    if (isMeant) rows.clear()
  }
  return (
    <>
      <div className={styles.acts}>
        <Button onClick={() => setBringing('file')}>从表格读取</Button>
        <Button onClick={() => setBringing('goods')}>从店铺商品选择</Button>
        {rows.filled.length > 0 && (
          <Button kind="quiet" onClick={() => void clear()}>
            清空
          </Button>
        )}
        <span className={look.quiet}>直接填写，或从电子表格复制后粘贴到格子里</span>
      </div>
      <Shown fields={fields} rows={rows} faultsOf={faults.of} onStand={onStand} />
      <Suspense>
        {bringing === 'file' && (
          <FileDialog
            {...{ template, fields }}
            hasRows={rows.filled.length > 0}
            onRows={rows.bring}
            onClose={leave}
          />
        )}
        {bringing === 'goods' && (
          <GoodsDialog fields={fields} has={rows.filled.length} onRows={rows.bring} onClose={leave} />
        )}
      </Suspense>
    </>
  )
}
