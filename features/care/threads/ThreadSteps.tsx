import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { useHistory } from '#features/office/access/slots.tsx'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { AssignDialog } from '#web/talk/AssignDialog.tsx'
import { TalkSteps } from '#web/talk/Talk.tsx'
import { PASSING, REOPENING } from './fields.ts'
import {
  refuseAssign,
  refuseClose,
  refusePass,
  refuseReopen,
  STEP_REFUSALS,
  THREAD_DESKS,
  type ThreadDesk,
} from './rules.ts'
import { type ShownThread, threadsApi } from './threadsApi.tsx'

type History = ReturnType<ReturnType<typeof useHistory>['actionsOf']>
type Opened = 'assign' | 'pass' | 'reopen' | null

/** What becomes of a thread besides its answers. */
export function ThreadSteps({ thread, history }: { thread: ShownThread; history: History }) {
  const { isVendorStaff } = useSession()
  const [open, setOpen] = useState<Opened>(null)
  const side: ThreadDesk = isVendorStaff ? 'vendor' : 'agent'
  const to: ThreadDesk = isVendorStaff ? 'agent' : 'vendor'
  const assign = refuseAssign(thread, side)
  const pass = refusePass(thread, { to, side, ofVendor: thread.ofVendor })
  const close = refuseClose(thread, side)
  const reopen = refuseReopen(thread, side)
  const isClosed = thread.state === 'closed'
  return (
    <TalkSteps>
      <Permit permission="threads.reply">
        {!isClosed && (
          <>
            <Button changes disabled={assign && STEP_REFUSALS[assign]} onClick={() => setOpen('assign')}>
              分配
            </Button>
            <Button changes disabled={pass && STEP_REFUSALS[pass]} onClick={() => setOpen('pass')}>
              {to === 'vendor' ? '转交厂商' : '退回代理商'}
            </Button>
            <CloseButton thread={thread} refusal={close && STEP_REFUSALS[close]} />
          </>
        )}
      </Permit>
      {isClosed && (
        <Permit permission="threads.reopen">
          <Button changes disabled={reopen && STEP_REFUSALS[reopen]} onClick={() => setOpen('reopen')}>
            重新打开
          </Button>
        </Permit>
      )}
      {history.map(({ key, label, onClick }) => (
        <Button key={key} kind="quiet" onClick={onClick}>
          {label}
        </Button>
      ))}
      {open === 'assign' && <ThreadAssignDialog thread={thread} onClose={() => setOpen(null)} />}
      {open === 'pass' && <PassDialog thread={thread} to={to} onClose={() => setOpen(null)} />}
      {open === 'reopen' && <ReopenDialog thread={thread} onClose={() => setOpen(null)} />}
    </TalkSteps>
  )
}

function CloseButton({ thread, refusal }: { thread: ShownThread; refusal: string | null }) {
  const close = useMutation({
    mutationFn: () => threadsApi.close({ id: thread.id }),
    onSuccess: () => toast.success('已关闭'),
    onError: error => toast.error(messageOf(error)),
    onSettled: (_answer, error) => (error ? readAgain('threads') : reread()),
  })
  return (
    <Button
      changes
      disabled={refusal}
      busy={close.isPending}
      onClick={async () => {
        const question = {
          title: '关闭反馈？',
          text: '关闭后双方都不能再回复，商户会收到一次评价邀请。',
          confirmText: '关闭反馈',
        }
        if (await confirm(question)) close.mutate()
      }}
    >
      关闭反馈
    </Button>
  )
}

type DialogProps = { thread: ShownThread; onClose: () => void }

/** Shows what others did meanwhile where it is refused. */
async function settled(work: Promise<unknown>, done: string): Promise<void> {
  await work.catch((error: unknown) => {
    readAgain('threads')
    throw error
  })
  toast.success(done)
  await reread()
}

function ThreadAssignDialog({ thread: { id, assigneeId }, onClose }: DialogProps) {
  const people = useQuery(threadsApi.people.query())
  return (
    <AssignDialog
      title="分配反馈"
      people={people.data?.rows}
      assigneeId={assigneeId}
      onAssign={accountId => settled(threadsApi.assign({ id, accountId, seenId: assigneeId }), '已分配')}
      onClose={onClose}
    />
  )
}

function PassDialog({ thread, to, onClose }: DialogProps & { to: ThreadDesk }) {
  return (
    <FormDialog
      title={to === 'vendor' ? '转交厂商' : '退回代理商'}
      submitText="转交"
      of={PASSING}
      send={({ note }) =>
        settled(threadsApi.passOn({ id: thread.id, to, note }), `已转交${THREAD_DESKS[to]}`)
      }
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>之后由{THREAD_DESKS[to]}处理，商户在同一对话中收到回复。</FormNote>
          <FormFields form={form} told={{ note: { 'data-autofocus': true } }} />
        </>
      )}
    </FormDialog>
  )
}

function ReopenDialog({ thread, onClose }: DialogProps) {
  return (
    <FormDialog
      title="重新打开反馈"
      submitText="重新打开"
      of={REOPENING}
      told={{ reason: { 'data-autofocus': true } }}
      send={({ reason }) => settled(threadsApi.reopen({ id: thread.id, reason }), '已重新打开')}
      onClose={onClose}
    />
  )
}
