import { useState } from 'react'
import { UNDO_REQUEST_STATES } from '#features/sales/settlement/rules.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { APPROVE_BACK, REJECT_BACK, ROLL_BACK } from './fields.ts'
import styles from './import.module.css'
import { type ImportDetails, importApi } from './importApi.tsx'

type Back = ImportDetails['back']

const TONES = { pending: 'attention', approved: 'done', rejected: 'problem' } as const

/** In one line whether it could be taken back alone, or who has to agree and how that stands. */
export function backText({ approval, request }: Back): string {
  if (approval !== null) return `须厂商审批：${approval}`
  return request?.state === 'approved' ? '厂商已同意，可自行撤回' : '可自行撤回'
}

/** What was last asked about taking it back, and for whoever approves the way to decide. */
export function BackRequest({ data }: { data: ImportDetails }) {
  const mayDecide = usePermission('settlement.approve')
  const [deciding, setDeciding] = useState<'approve' | 'reject' | null>(null)
  const { request } = data.back
  if (!request) return null
  const asked = request.isAhead ? '申请导入后可自行撤回' : '申请整批撤回'
  return (
    <section className={styles.request} aria-label="撤回申请">
      <p>
        <StatusTag tone={TONES[request.state]}>{UNDO_REQUEST_STATES[request.state]}</StatusTag>{' '}
        {request.requestedByName} {formatInstant(request.requestedAt)} {asked}：{formatCount(request.shops)}{' '}
        家店铺，{formatCents(request.totalCents)} 代币。原因：{request.reason}
      </p>
      {request.decidedAt && (
        <p className={look.quiet}>
          {request.decidedByName} {formatInstant(request.decidedAt)}
          {request.decision && `：${request.decision}`}
        </p>
      )}
      {mayDecide && request.state === 'pending' && (
        <div className={styles.acts}>
          <Button kind="primary" changes disabled={request.refusal} onClick={() => setDeciding('approve')}>
            通过
          </Button>
          <Button changes disabled={request.refusal} onClick={() => setDeciding('reject')}>
            驳回
          </Button>
        </div>
      )}
      {deciding && <DecisionDialog data={data} deciding={deciding} onClose={() => setDeciding(null)} />}
    </section>
  )
}

function DecisionDialog(props: { data: ImportDetails; deciding: 'approve' | 'reject'; onClose: () => void }) {
  const { data, deciding, onClose } = props
  const approves = deciding === 'approve'
  const isAhead = data.back.request?.isAhead
  return (
    <FormDialog
      title={approves ? '通过撤回申请' : '驳回撤回申请'}
      submitText={approves ? '通过' : '驳回'}
      danger={approves}
      of={approves ? APPROVE_BACK : REJECT_BACK}
      send={async ({ decision }) => {
        await importApi.decideRollBack({ id: data.id, approves, decision }).catch((error: unknown) => {
          readAgain('shopImport')
          throw error
        })
        toast.success(approves ? '已通过' : '已驳回')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          {approves && (
            <FormNote>
              {isAhead
                ? '通过后，导入的店铺由代理商自行整批撤回，不再审批。'
                : '通过后立即开始撤回：没有人使用过的店铺不再存在，代币和未用的短信退回。'}
            </FormNote>
          )}
          <FormFields form={form} />
        </>
      )}
    </FormDialog>
  )
}

/** Before it begins: that it may be taken back later by whoever brings it. */
export function AskBackDialog({ id, back, onClose }: { id: number; back: Back; onClose: () => void }) {
  return (
    <FormDialog
      title="申请导入后可自行撤回"
      submitText="提交申请"
      of={ROLL_BACK}
      send={async ({ reason }) => {
        await importApi.askRollBack({ id, reason })
        toast.success('申请已提交，等待厂商审批')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>{back.approval}。厂商同意后，导入的店铺可以自行整批撤回；不等审批也可以先导入。</FormNote>
          <FormFields form={form} />
        </>
      )}
    </FormDialog>
  )
}
