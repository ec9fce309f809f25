import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { AgentLink } from '#features/office/agents/AgentLink.tsx'
import { formatCents, formatCount } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { usePageSearch } from '#web/client/navigation.ts'
import { readAgain } from '#web/client/reread.ts'
import { useSession } from '#web/client/session.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { EmptyState, LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { useTabName } from '#web/shell/tab-name.ts'
import { IMPORT_FIELDS } from './fields.ts'
import { ImportDraft } from './ImportDraft.tsx'
import { ImportWork } from './ImportWork.tsx'
import styles from './import.module.css'
import { type ImportDetails, importApi } from './importApi.tsx'
import { Lines } from './Lines.tsx'
import { IMPORT_MODES, IMPORT_STATES } from './rules.ts'

const REFRESH_MS = 1_000

/** One file of shops: checked and mended, then what became of it. D3 §2: merchantImportDetail. */
export default function ImportPage() {
  const [{ id }] = usePageSearch<'/admin/merchant/merchantImportDetail'>()
  const known = Number(id)
  if (!Number.isSafeInteger(known) || known < 1)
    return (
      <div className={look.page}>
        <h1 className={look.pageTitle}>导入详情</h1>
        <EmptyState title="没有选择导入" role="alert">
          <p>地址中没有导入的编号，请从批量导入打开</p>
          <Link className={buttonLook('primary')} to="/admin/merchant/merchantImport">
            返回批量导入
          </Link>
        </EmptyState>
      </div>
    )
  return <Import key={known} id={known} />
}

function Import({ id }: { id: number }) {
  const details = useQuery({
    ...importApi.details.query({ id }),
    refetchInterval: ({ state: { data } }) =>
      (data?.state === 'running' || data?.state === 'rolling') && REFRESH_MS,
  })
  const { data } = details
  useTabName(data?.fileName)
  useReadAsItGoes(data)
  if (details.isError && !data)
    return <LoadFailure error={details.error} onRetry={() => void details.refetch()} />
  if (!data) return <LoadingLines />
  return (
    <div className={`${look.page} ${styles.page}`}>
      <Head data={data} />
      {data.state === 'draft' ? <ImportDraft data={data} /> : <ImportWork data={data} />}
      <Lines data={data} />
    </div>
  )
}

/** The work goes on without a change of this page: what it has done is read again with it, lines and balance. */
function useReadAsItGoes(data: ImportDetails | undefined): void {
  const done = data && `${data.state} ${data.created} ${data.failed} ${data.takenBack}`
  const known = useRef(done)
  useEffect(() => {
    if (known.current !== undefined && known.current !== done) readAgain('shopImport.rows', 'ledger.wallet')
    known.current = done
  }, [done])
}

function Head({ data }: { data: ImportDetails }) {
  const session = useSession()
  const history = useHistory()
  return (
    <header className={styles.head}>
      <div className={styles.title}>
        <h1 className={look.pageTitle}>{data.fileName}</h1>
        <StatusTag tone={IMPORT_FIELDS.state.tones[data.state]}>{IMPORT_STATES[data.state]}</StatusTag>
        {history
          .actionsOf({ kind: 'shopImport', id: data.id, name: data.fileName })
          .map(({ key, label, onClick }) => (
            <Button key={key} kind="quiet" changes={false} onClick={onClick}>
              {label}
            </Button>
          ))}
      </div>
      <Facts>
        <Fact label={IMPORT_FIELDS.mode.label}>{IMPORT_MODES[data.mode]}</Fact>
        {session.isVendorStaff && (
          <Fact label={IMPORT_FIELDS.agentName.label}>
            <AgentLink id={data.agentId}>{data.agentName}</AgentLink>
          </Fact>
        )}
        {data.reason && <Fact label={IMPORT_FIELDS.reason.label}>{data.reason}</Fact>}
        <Fact label="上传">
          {data.createdByName} {formatInstant(data.createdAt)}
        </Fact>
        {data.startedAt && (
          <Fact label="开始导入">
            {data.startedByName} {formatInstant(data.startedAt)}
          </Fact>
        )}
        {data.state !== 'draft' && data.mode === 'charge' && (
          <Fact label={IMPORT_FIELDS.totalCents.label}>
            {formatCents(data.totalCents)} 代币，{formatCount(data.sms)} 条短信
          </Fact>
        )}
        {data.rollBackAt && (
          <Fact label="撤回">
            {data.rollBackByName} {formatInstant(data.rollBackAt)}，{data.rollBackReason}
          </Fact>
        )}
        {data.remark && <Fact label={IMPORT_FIELDS.remark.label}>{data.remark}</Fact>}
      </Facts>
      {history.drawer}
    </header>
  )
}
