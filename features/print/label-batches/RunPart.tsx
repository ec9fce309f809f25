import { useState } from 'react'
import { formatCount } from '#kit/money.ts'
import { isOver, isUnderWay, type RunState, waitWords } from '#kit/print/batch/run.ts'
import { BRIDGE_STATES, PRINT_WORDS } from '#kit/print/bridge/bridge.ts'
import { formatInstant } from '#kit/time.ts'
import { useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { look } from '#web/controls/look.ts'
import { StatusTag, type Tone } from '#web/controls/StatusTag.tsx'
import { BridgeNote, useLink } from '#web/print/BridgeNote.tsx'
import styles from './batch.module.css'
import { type Kept, labelsIn, labelsPrinted, leftOf, partWords, sheetsOf, totalOf, unitOf } from './batch.tsx'
import { batchDeeds, draftOf, keepDraft } from './batchStore.tsx'
import { RunRows } from './RunRows.tsx'

const STATES: Record<RunState, readonly [word: string, tone: Tone]> = {
  running: [PRINT_WORDS.accepted, 'attention'],
  pausing: ['打完这一张后暂停', 'attention'],
  stopping: ['正在停止', 'attention'],
  paused: ['已暂停', 'neutral'],
  halted: ['已停住', 'problem'],
  unsure: ['等你核对', 'problem'],
  stopped: ['已停止', 'neutral'],
  done: ['全部打完', 'done'],
}

/** A batch under way, or one that waits to be gone on with. */
export function RunPart({ batch, run, elsewhere }: Kept) {
  const total = totalOf(batch)
  const labels = labelsIn(batch.rows)
  const printed = labelsPrinted(batch, run)
  const unit = unitOf(batch)
  const byBridge = batch.way.kind === 'bridge'
  const link = useLink()
  const isAway = byBridge && link.state !== 'ready'
  const [word, tone] = STATES[run.state]
  const stands = isAway && isUnderWay(run)
  const inHand = !isOver(run) && !elsewhere
  const waits = stands ? `打印程序${BRIDGE_STATES[link.state].word}，连上后会自动继续` : waitWords(run)
  return (
    <section className={styles.run} aria-labelledby="batch-run">
      <div className={styles.runHead}>
        <h2 id="batch-run" className={look.sectionTitle}>
          {batch.template.name}
        </h2>
        {elsewhere ? (
          <StatusTag tone="attention">另一个页面正在打印</StatusTag>
        ) : (
          <StatusTag tone={waits ? 'problem' : tone}>
            {waits && run.state === 'running' ? '已停住' : word}
          </StatusTag>
        )}
      </div>
      <p className={look.quiet}>
        {formatInstant(batch.startedAt)} 开始 · {batch.way.name} · {batch.rows.length} 行{' '}
        {formatCount(labels)} 张标签
        {batch.sheet && ` · ${sheetsOf(batch)} 张 A4，从第 ${batch.sheet.start + 1} 格开始`}
      </p>
      <progress className={styles.progress} max={total} value={run.printed} aria-label="打印进度" />
      <p role="status" className={styles.figure}>
        已打印 {formatCount(run.printed)} / {formatCount(total)} {unit}
        {batch.sheet && `（${formatCount(printed)} 张标签）`}
        {!isOver(run) && `，接下来：${partWords(batch, run.printed)}`}
      </p>
      <p role="alert" className={styles.problem}>
        {elsewhere ? '' : waits || run.said}
      </p>
      {isAway && inHand && <BridgeNote kind="label" settings />}
      {elsewhere ? (
        <p className={look.quiet}>要暂停或停止，请到那个页面；那个页面关闭后，可以在这里继续。</p>
      ) : (
        <Deeds {...{ batch, run }} waits={waits !== ''} />
      )}
      <RunRows batch={batch} printed={printed} />
    </section>
  )
}

function Deeds({ batch, run, waits }: Omit<Kept, 'elsewhere'> & { waits: boolean }) {
  const { accountId } = useSession()
  const [busy, setBusy] = useState(false)
  const does = (deed: () => unknown) => async () => {
    setBusy(true)
    try {
      await deed()
    } finally {
      setBusy(false)
    }
  }
  const putBack = async () => {
    const draft = draftOf(accountId)
    const rows = leftOf(batch, run).map(({ data, copies }, at) => ({
      id: at + 1,
      data,
      copies: String(copies),
    }))
    if (draft) keepDraft(accountId, { ...draft, template: batch.template, rows, start: 0 })
    await batchDeeds.clear()
  }
  if (run.state === 'unsure')
    return (
      <div className={styles.unsure}>
        <p>
          请看打印机：<strong>{partWords(batch, run.printed)}</strong> 打出来了吗？
        </p>
        <div className={styles.acts}>
          <Button onClick={() => void batchDeeds.answer(true)}>已打出，接着打下一张</Button>
          <Button onClick={() => void batchDeeds.answer(false)}>没有打出，重打这一张</Button>
        </div>
      </div>
    )
  if (run.state === 'done')
    return (
      <div className={styles.acts}>
        <Button kind="primary" changes={false} busy={busy} onClick={does(batchDeeds.clear)}>
          打印下一批
        </Button>
      </div>
    )
  if (run.state === 'stopped')
    return (
      <div className={styles.acts}>
        <Button kind="primary" changes={false} busy={busy} onClick={does(putBack)}>
          把没打的放回表格
        </Button>
        <Button busy={busy} onClick={does(batchDeeds.clear)}>
          不打了
        </Button>
      </div>
    )
  const rests = run.state === 'paused' || run.state === 'halted'
  return (
    <div className={styles.acts}>
      {(rests || run.state === 'pausing') && (
        <Button kind="primary" changes={false} onClick={() => void batchDeeds.resume()}>
          继续
        </Button>
      )}
      {waits && run.state === 'running' && (
        <Button kind="primary" changes={false} onClick={() => batchDeeds.retry()}>
          继续
        </Button>
      )}
      {run.state === 'running' && <Button onClick={() => batchDeeds.pause()}>暂停</Button>}
      {(run.state !== 'stopping' || waits) && <Button onClick={() => void stop()}>停止</Button>}
    </div>
  )
}

async function stop(): Promise<void> {
  const isMeant = await confirm({
    title: '停止这一批？',
    text: '正在打的一张打完后停下，没打的可以放回表格。',
    confirmText: '停止打印',
    changes: false,
  })
  if (isMeant) await batchDeeds.stop()
}
