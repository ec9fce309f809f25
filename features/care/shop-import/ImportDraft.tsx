import { lazy, useState } from 'react'
import { formatCount } from '#kit/money.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Choice } from '#web/form/Choice.tsx'
import { SheetNotes } from '#web/form/files/SheetNotes.tsx'
import { BackRequest } from './BackRequest.tsx'
import { COLUMNS } from './fields.ts'
import styles from './import.module.css'
import { act, Counted, type ImportDetails, importApi } from './importApi.tsx'
import { FILE_DUPLICATES, FIX_KEYS, FIXES, IMPORT_REFUSALS, refuseStart, TAKEN_DUPLICATES } from './rules.ts'

const ColumnsDialog = lazy(() => import('./ColumnsDialog.tsx'))
const RehearsalDialog = lazy(() => import('./RehearsalDialog.tsx'))

/** Before it begins: what the columns are, what is wrong and how it is mended, what happens to accounts that stand twice. */
export function ImportDraft({ data }: { data: ImportDetails }) {
  const mayChange = usePermission('shopImport.import')
  const [open, setOpen] = useState<'columns' | 'rehearsal' | null>(null)
  const { counts } = data
  const refusal = refuseStart(counts, data.heads)
  const guessed = data.heads.filter(head => head.guessed)
  const mapped = data.heads.filter(({ column }) => column !== null).length
  const close = () => setOpen(null)
  return (
    <section className={styles.draft} aria-label="核对">
      <dl className={styles.figures}>
        <Counted label="可导入" count={counts.fine} />
        <Counted label="有误" count={counts.faulty} tone="problem" />
        <Counted label="账号重复待处理" count={counts.undecided} tone="attention" />
        <Counted label="共" count={counts.rows} />
      </dl>
      <SheetNotes notes={data.notes} />
      {guessed.length > 0 && (
        <p className={styles.guesses} role="note">
          {guessed
            .map(({ name, column }) => `「${name}」按内容识别为${column ? COLUMNS[column].label : ''}`)
            .join('，')}
          ，请确认。
          {mayChange && (
            <Button kind="quiet" changes={false} onClick={() => setOpen('columns')}>
              核对并确认
            </Button>
          )}
        </p>
      )}
      {mayChange && <Remedies data={data} />}
      <div className={styles.acts}>
        <Button changes={false} onClick={() => setOpen('columns')}>
          列与默认值（已识别 {mapped}/{data.heads.length} 列）
        </Button>
        {mayChange && (
          <>
            <Button changes onClick={() => void drop(data)}>
              作废
            </Button>
            <Button
              kind="primary"
              disabled={refusal && IMPORT_REFUSALS[refusal]}
              onClick={() => setOpen('rehearsal')}
            >
              预演并导入
            </Button>
            {refusal && <p className={styles.why}>{IMPORT_REFUSALS[refusal]}</p>}
          </>
        )}
      </div>
      <BackRequest data={data} />
      <Suspense>
        {open === 'columns' && <ColumnsDialog data={data} onClose={close} />}
        {open === 'rehearsal' && <RehearsalDialog data={data} onClose={close} />}
      </Suspense>
    </section>
  )
}

async function drop(data: ImportDetails): Promise<void> {
  const sure = await confirm({
    title: `作废「${data.fileName}」？`,
    text: '不会开店，已核对的内容不能再导入。',
    confirmText: '作废',
    danger: true,
  })
  if (sure) await act(() => importApi.drop({ id: data.id }), '已作废')
}

/** One press for one kind of fault in all lines, and what happens to accounts that stand twice. */
function Remedies({ data }: { data: ImportDetails }) {
  const { id, counts, defaults, duplicates } = data
  const [busy, setBusy] = useState(false)
  const run = async (work: () => Promise<unknown>, said: string) => {
    setBusy(true)
    await act(work, said)
    setBusy(false)
  }
  const fixes = FIX_KEYS.filter(fix => (counts.fixes[fix] ?? 0) > 0)
  const decide = (changed: Partial<typeof duplicates>) =>
    void run(() => importApi.setUp({ id, defaults, duplicates: { ...duplicates, ...changed } }), '已设置')
  return (
    <>
      {counts.faulty > 0 && (
        <section className={styles.remedies} aria-label="批量修正">
          <span className={look.quiet}>一键修正：</span>
          {fixes.map(fix => (
            <Button
              key={fix}
              changes
              busy={busy}
              onClick={() => void run(() => importApi.fix({ id, fix }), `已修正：${FIXES[fix]}`)}
            >
              {FIXES[fix]} {formatCount(counts.fixes[fix] ?? 0)} 行
            </Button>
          ))}
          <Button
            changes
            busy={busy}
            onClick={() => void run(() => importApi.skipFaulty({ id }), '已跳过有误的行')}
          >
            跳过有误的 {formatCount(counts.faulty)} 行
          </Button>
        </section>
      )}
      {counts.duplicates > 0 && (
        <div className={styles.remedies}>
          <span className={look.quiet}>表内账号重复：</span>
          <Choice
            label="表内账号重复"
            value={duplicates.file}
            options={optionsOf(FILE_DUPLICATES)}
            onChange={file => decide({ file })}
          />
          <span className={look.quiet}>与现有店铺重复：</span>
          <Choice
            label="与现有店铺重复"
            value={duplicates.taken}
            options={optionsOf(TAKEN_DUPLICATES)}
            onChange={taken => decide({ taken })}
          />
        </div>
      )}
    </>
  )
}

function optionsOf<W extends Record<string, string>>(words: W) {
  return (Object.keys(words) as (keyof W & string)[]).map(value => ({ value, label: words[value] ?? '' }))
}
