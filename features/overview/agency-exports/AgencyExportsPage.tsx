import { lazy, useEffect, useState } from 'react'
import { useLimit } from '#features/office/reference-data/useLimit.tsx'
import { formatBytes } from '#features/overview/exports/ExportJobs.tsx'
import type { Out } from '#kit/declare/op.ts'
import { formatCount } from '#kit/money.ts'
import { api, messageOf, saveFile } from '#web/client/api.ts'
import { usePageSearch } from '#web/client/navigation.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { StatusWord } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { useMayAsk } from '#web/form/files/FileLink.tsx'
import { List } from '#web/list/List.tsx'
import type { RowAction } from '#web/list/list-props.ts'
import styles from './agency-exports.module.css'
import type { agencyExports } from './contract.ts'
import { AGENCY_EXPORT_FIELDS, AGENCY_EXPORTS } from './fields.ts'
import { AGENCY_EXPORT_REFUSALS, isUnfinished, KEPT_DAYS, percentOf } from './rules.ts'

const exportsApi = api<typeof agencyExports>('agencyExports')
const StartDialog = lazy(() => import('./StartDialog.tsx'))
const REFRESH_MS = 2_000

type Row = Out<typeof agencyExports.list>['rows'][number]

/** Archives of everything of an agency that leaves. `?agent=` begins with one. */
export default function AgencyExportsPage() {
  const [{ agent }, ask] = usePageSearch<'/admin/operations/agency-exports'>()
  const [starting, setStarting] = useState(agent !== undefined)
  const mayAsk = useMayAsk()
  const close = () => {
    setStarting(false)
    if (agent !== undefined) ask({ agent: undefined })
  }
  return (
    <>
      <List
        of={AGENCY_EXPORTS}
        from={exportsApi.list}
        cells={CELLS}
        summary={({ rows }) => <Kept rows={rows} />}
        main={
          <Button kind="primary" onClick={() => setStarting(true)}>
            移交数据
          </Button>
        }
        rowActions={row => actionsOf(row, mayAsk(null))}
        actionsWidth={136}
      />
      <Suspense>
        {starting && (
          <StartDialog agentId={agent === undefined ? undefined : Number(agent)} onClose={close} />
        )}
      </Suspense>
    </>
  )
}

/** How long archives are kept; looks again while one is being made. */
function Kept({ rows }: { rows: readonly Row[] }) {
  const keptDays = useLimit(KEPT_DAYS)
  const isAtWork = rows.some(({ state }) => isUnfinished(state))
  useEffect(() => {
    if (!isAtWork) return
    const timer = setInterval(() => readAgain('agencyExports.list'), REFRESH_MS)
    return () => clearInterval(timer)
  }, [isAtWork])
  return <span>文件加密保存 {keptDays} 天，之后连同密钥删除；证明一直保留</span>
}

/** What may be refused without a fresh factor is fetched, so that it can be asked for; otherwise the browser takes it by itself, however large. */
function actionsOf(row: Row, mayAsk: boolean): RowAction[] {
  const { id, state, isCertified } = row
  const save = (what: 'file' | 'certificate') =>
    void saveFile(`/api/agency-exports/${id}/${what}`).catch((error: unknown) => {
      toast.error(messageOf(error))
      readAgain('agencyExports')
    })
  if (state === 'failed') return [{ key: 'retry', label: '重试', onClick: () => void again(id) }]
  return [
    {
      key: 'file',
      label: '下载',
      disabled:
        state === 'done'
          ? null
          : isUnfinished(state)
            ? AGENCY_EXPORT_REFUSALS.NOT_READY
            : AGENCY_EXPORT_REFUSALS.FILE_GONE,
      onClick: () => (mayAsk ? save('file') : location.assign(`/api/agency-exports/${id}/file`)),
    },
    {
      key: 'certificate',
      label: '证明',
      disabled: isCertified ? null : AGENCY_EXPORT_REFUSALS.CERTIFICATE_MISSING,
      onClick: () => save('certificate'),
    },
  ]
}

async function again(id: number): Promise<void> {
  try {
    await exportsApi.retry({ id })
    toast.success('已重新开始')
  } catch (error) {
    toast.error(messageOf(error))
    readAgain('agencyExports')
  }
  await reread()
}

const CELLS = {
  state: (row: Row) => (
    <StatusWord tone={AGENCY_EXPORT_FIELDS.state.tones[row.state]} tip={row.error || undefined}>
      {AGENCY_EXPORT_FIELDS.state.words[row.state]}
    </StatusWord>
  ),
  progress: { copy: undefined, render: (row: Row) => <Progress row={row} /> },
  byteSize: {
    copy: undefined,
    render: (row: Row) => <span className={look.number}>{formatBytes(row.byteSize)}</span>,
  },
}

function Progress({ row }: { row: Row }) {
  const { state, rowsWritten, filesWritten, error } = row
  if (state === 'failed') return <span className={styles.error}>{error}</span>
  if (state === 'deleted' && error !== '') return <span>{error}</span>
  const text = `${formatCount(rowsWritten)} 条，${formatCount(filesWritten)} 个文件`
  if (!isUnfinished(state)) return <span className={look.number}>{text}</span>
  return (
    <span className={styles.progress}>
      <progress max={100} value={percentOf(row) ?? undefined} aria-label={`${row.companyName} 生成进度`} />
      <span className={look.number}>{text}</span>
    </span>
  )
}
