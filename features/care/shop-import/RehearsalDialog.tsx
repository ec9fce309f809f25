import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { FigureTable } from '#web/facts/FigureTable.tsx'
import { ActionBar } from '#web/form/ActionBar.tsx'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { AskBackDialog, backText } from './BackRequest.tsx'
import type { shopImport } from './contract.ts'
import { IMPORT_FIELDS } from './fields.ts'
import styles from './import.module.css'
import { type ImportDetails, importApi } from './importApi.tsx'

type Rehearsal = Out<typeof shopImport.rehearse>

/** What would be created and paid, said before anything is written; begins with exactly that. */
export default function RehearsalDialog({ data, onClose }: { data: ImportDetails; onClose: () => void }) {
  const rehearsal = useQuery({ ...importApi.rehearse.query({ id: data.id }), staleTime: 0, gcTime: 0 })
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState(false)
  const shown = rehearsal.data
  const begin = async (token: string) => {
    setBusy(true)
    try {
      await importApi.start({ id: data.id, token })
      toast.success('已开始导入，可以离开此页')
      await reread()
      onClose()
    } catch (error) {
      toast.error(messageOf(error))
      readAgain('shopImport')
      setBusy(false)
      void rehearsal.refetch()
    }
  }
  return (
    <Dialog title="预演" width={640} busy={busy} onClose={onClose}>
      <div className={styles.dialog}>
        {shown ? (
          <Shown shown={shown} isCharged={data.mode === 'charge'} onAsk={() => setAsking(true)} />
        ) : rehearsal.isError ? (
          <LoadFailure error={rehearsal.error} onRetry={() => void rehearsal.refetch()} />
        ) : (
          <LoadingLines lines={6} />
        )}
        <ActionBar>
          <CloseButton />
          <Button
            kind="primary"
            busy={busy}
            disabled={shown ? shown.refusal : '正在预演'}
            onClick={() => shown && void begin(shown.token)}
          >
            开始导入 {formatCount(shown?.shops ?? 0)} 家
          </Button>
        </ActionBar>
      </div>
      {asking && shown && (
        <AskBackDialog
          id={data.id}
          back={shown.back}
          onClose={() => {
            setAsking(false)
            void rehearsal.refetch()
          }}
        />
      )}
    </Dialog>
  )
}

function Shown(props: { shown: Rehearsal; isCharged: boolean; onAsk: () => void }) {
  const { shown, isCharged, onAsk } = props
  const { back } = shown
  return (
    <>
      <p className={look.quiet}>以下为预演，尚未写入任何内容。</p>
      <FigureTable
        label="将开通的店铺"
        heads={['软件版本', '期限', '店铺', isCharged ? '每家代币' : '', '代币']}
      >
        <tbody>
          {shown.lines.map(line => (
            <tr key={`${line.versionName} ${line.term} ${line.unitCents} ${line.shops}`}>
              <th scope="row">
                {line.versionName}
                {line.refusal && <span className={styles.problem}> {line.refusal}</span>}
              </th>
              <td>{line.term}</td>
              <td>{formatCount(line.shops)}</td>
              <td>{isCharged ? formatCents(line.unitCents) : ''}</td>
              <td>{formatCents(line.totalCents)}</td>
            </tr>
          ))}
        </tbody>
      </FigureTable>
      <Facts>
        <Fact label="店铺">
          {formatCount(shown.shops)} 家{shown.skipped > 0 && `，跳过 ${formatCount(shown.skipped)} 行`}
        </Fact>
        <Fact label="代币">{formatCents(shown.totalCents)}</Fact>
        <Fact label="余额">
          {formatCents(shown.balanceBeforeCents)} → {formatCents(shown.balanceAfterCents)}
        </Fact>
        {shown.sms > 0 && (
          <Fact label={IMPORT_FIELDS.sms.label}>
            {formatCount(shown.sms)} 条，余 {formatCount(shown.smsBefore)} → {formatCount(shown.smsAfter)}
          </Fact>
        )}
        <Fact label="整批撤回">
          {backText(back)}
          {back.request?.state === 'pending' && '（已申请，等待厂商审批）'}
          {back.approval !== null && back.request?.state !== 'pending' && (
            <Button kind="quiet" changes onClick={onAsk}>
              申请可自行撤回
            </Button>
          )}
        </Fact>
      </Facts>
      {shown.refusal && (
        <p role="alert" className={styles.problem}>
          {shown.refusal}
        </p>
      )}
    </>
  )
}
