import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { pictureAddress } from '#kit/picture.ts'
import { useNavigate, usePageSearch } from '#web/client/navigation.ts'
import { usePermission, useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { ActionBar } from '#web/form/ActionBar.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { useUploads } from '#web/form/files/uploads.ts'
import { EmptyState, LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { useLeaveGuard } from '#web/form/leave.ts'
import { TouchControls } from '#web/form/TouchControls.tsx'
import { useForm } from '#web/form/useForm.ts'
import type { demands } from './contract.ts'
import { DemandFields } from './DemandFields.tsx'
import { DemandSide } from './DemandSide.tsx'
import { DemandView } from './DemandView.tsx'
import styles from './demands.module.css'
import { type DemandDetails, type DemandOptions, demandsApi, LIST_PATH, THREADS_PATH } from './demandsApi.tsx'
import { brokenIn, DEMAND_REFUSALS, type DemandForm, refuseChange } from './rules.ts'

/**
 * A new demand, or one that is there (`?id=`). `?feedback=` begins it with what a partner wrote, `?thread=` with what a shop said, and
 * `?pictures=` with copies of the pictures in it.
 */
export default function DemandFormPage() {
  const [asked] = usePageSearch<'/admin/demandForm'>()
  const [id, feedbackId, threadId] = [idOf(asked.id), idOf(asked.feedback), idOf(asked.thread)]
  const mayEdit = usePermission('demands.edit')
  const options = useQuery(demandsApi.options.query())
  const details = useQuery({ ...demandsApi.details.query({ id: id ?? 0 }), enabled: id !== null })
  const feedback = useQuery({
    ...demandsApi.feedback.query({ id: feedbackId ?? 0 }),
    enabled: id === null && feedbackId !== null && mayEdit,
  })
  const thread = useQuery({
    ...demandsApi.thread.query({ id: threadId ?? 0 }),
    enabled: id === null && threadId !== null && mayEdit,
  })
  const title = id === null ? '新增需求' : '需求详情'
  const failed = [options, details, feedback, thread].find(query => query.isError)
  if (failed)
    return (
      <Framed title={title}>
        <LoadFailure error={failed.error} onRetry={() => void failed.refetch()} />
      </Framed>
    )
  const isWaiting = !options.data || [details, feedback, thread].some(query => query.isLoading)
  if (isWaiting || !options.data)
    return (
      <Framed title={title}>
        <LoadingLines lines={12} />
      </Framed>
    )
  const demand = details.data ?? null
  if (!mayEdit && !demand)
    return (
      <Framed title={title}>
        <EmptyState title="您没有新增需求的权限" role="alert" />
      </Framed>
    )
  const isReadOnly = demand !== null && (!mayEdit || refuseChange(demand) !== null)
  return (
    <TouchControls>
      <div className={`${look.page} ${styles.page}`}>
        {isReadOnly ? (
          <DemandView demand={demand} />
        ) : (
          <EditDemand
            key={`${demand?.id} ${demand?.revision}`}
            demand={demand}
            options={options.data}
            feedback={feedback.data ?? null}
            thread={thread.data ?? null}
          />
        )}
        {demand && <DemandSide demand={demand} mayEdit={mayEdit && !isReadOnly} />}
      </div>
    </TouchControls>
  )
}

function Framed({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className={look.page}>
      <h1 className={look.pageTitle}>{title}</h1>
      {children}
    </div>
  )
}

function idOf(text: string | undefined): number | null {
  const id = Number(text)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

type Feedback = { id: number; content: string; agentName: string; demandIds: number[] }
type EditProps = {
  demand: DemandDetails | null
  options: DemandOptions
  feedback: Feedback | null
  thread: ThreadStart | null
}

function EditDemand({ demand, options, feedback, thread }: EditProps) {
  const { accountId } = useSession()
  const [{ pictures }] = usePageSearch<'/admin/demandForm'>()
  const navigate = useNavigate()
  const uploads = useUploads()
  const leave = (how: { replace?: boolean } = {}) =>
    void (thread
      ? navigate({ to: THREADS_PATH, search: { thread: thread.id }, ...how })
      : navigate({ to: LIST_PATH, ...how }))
  const [now] = useState(() => Date.now())
  // No fields: rich text with pictures, and a shop whose industry comes along.
  const form = useForm<DemandForm>({
    initial: thread
      ? draftOfThread(thread, pictures ?? '', { accountId, options })
      : draftOf(demand, feedback),
    judge: draft => [
      ...brokenIn(draft, Date.now(), demand?.deadline ?? null).map(({ code, field }) => ({
        field,
        message: DEMAND_REFUSALS[code],
      })),
      ...[uploads.broken()].filter(broken => broken !== null),
    ],
    send: (draft, idempotencyKey) =>
      demandsApi.save(
        {
          ...draft,
          id: demand?.id ?? null,
          revision: demand?.revision ?? null,
          feedbackId: feedback?.id ?? null,
          threadId: thread?.id ?? null,
        },
        { idempotencyKey },
      ),
    onDone: () => {
      toast.success('操作成功')
      leave({ replace: true })
    },
  })
  useLeaveGuard(form.isUnsaved)
  return (
    <FormElement className={styles.form} onSubmit={() => void form.submit()}>
      <h1 className={look.pageTitle}>{demand ? '需求详情' : '新增需求'}</h1>
      {feedback && (
        <p className={styles.note}>
          来自代理商反馈（{feedback.agentName}）：{feedback.content}
          {feedback.demandIds.length > 0 && `。已有需求 ${feedback.demandIds.map(id => `#${id}`).join('、')}`}
        </p>
      )}
      {thread && <ThreadNote thread={thread} />}
      <DemandFields form={form} demand={demand} options={options} uploads={uploads} now={now} />
      <p className={styles.message} role="alert">
        {form.message}
      </p>
      <ActionBar>
        <Button onClick={() => leave()}>{thread ? '返回反馈' : '返回列表'}</Button>
        <Button kind="primary" type="submit" busy={form.busy}>
          保存
        </Button>
      </ActionBar>
    </FormElement>
  )
}

function draftOf(demand: DemandDetails | null, feedback: Feedback | null): DemandForm {
  if (demand)
    return {
      title: demand.title,
      path: demand.path,
      merchantId: String(demand.merchantId),
      ownerId: demand.ownerId,
      priority: demand.priority,
      type: demand.type,
      client: demand.client,
      industryId: demand.industryId,
      deadline: demand.deadline,
      status: demand.status,
      description: demand.description,
    }
  return {
    ...{ title: '', path: '', merchantId: '', ownerId: null, priority: null, type: null, client: null },
    ...{ industryId: null, deadline: null, status: 'feedbacked' },
    description: feedback ? paragraphs(feedback.content) : '',
  }
}

/** What a demand begins with that is made of a thread. */
type ThreadStart = Out<typeof demands.thread>

function ThreadNote({ thread: { shopName, merchantId, agentName, text, demands } }: { thread: ThreadStart }) {
  return (
    <p className={styles.note}>
      来自商户反馈（{shopName} {merchantId} · {agentName}）：{text}
      {demands.length > 0 && `。已有需求 ${demands.map(({ id }) => `#${id}`).join('、')}`}
    </p>
  )
}

const UUID = /^[0-9a-f-]{36}$/

type Begun = { accountId: number; options: DemandOptions }

/** Whoever makes it owns it. `pictures`: ids of copies, by commas. */
function draftOfThread(thread: ThreadStart, pictures: string, { accountId, options }: Begun): DemandForm {
  const shown = pictures.split(',').filter(id => UUID.test(id))
  const offered = options.industries.find(({ id, offered }) => offered && id === thread.industryId)
  return {
    title: thread.newTitle,
    path: '',
    merchantId: String(thread.merchantId ?? ''),
    ownerId: options.owners.some(({ id }) => id === accountId) ? accountId : null,
    ...{ priority: 'normal', type: 'requirement', client: null, deadline: null, status: 'feedbacked' },
    industryId: offered?.id ?? null,
    description:
      paragraphs(thread.text) +
      shown.map((id, at) => `<img src="${pictureAddress(id)}" alt="反馈图片 ${at + 1}">`).join(''),
  }
}

/** What was typed, as rich text. */
function paragraphs(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<p>${escaped.replaceAll('\n', '</p><p>')}</p>`
}
