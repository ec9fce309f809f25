import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, useEffect, useRef, useState } from 'react'
import { PaperFigure } from '#features/care/documents/PaperFigure.tsx'
import { useFlowReadAgain } from '#features/programs/program-flow/useFlowReadAgain.tsx'
import { messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { CategoryBegins } from './CategoryDialog.tsx'
import { CHANGE_TONES } from './fields.ts'
import styles from './profile.module.css'
import {
  type ChangeData,
  programProfileApi as from,
  type PartData,
  type ProfileData,
} from './programProfileApi.tsx'
import {
  CHANGE_STATES,
  isOfCategory,
  isOpen,
  PROFILE_PARTS,
  type ProfilePart,
  REMOVAL_STATES,
} from './rules.ts'

const Categories = lazy(() => import('./Categories.tsx'))
const NameDialog = lazy(() => import('./NameDialog.tsx'))
const HeadImageDialog = lazy(() => import('./HeadImageDialog.tsx'))
const IntroDialog = lazy(() => import('./IntroDialog.tsx'))
const CategoryDialog = lazy(() => import('./CategoryDialog.tsx'))
const DIALOGS = { name: NameDialog, headImage: HeadImageDialog, intro: IntroDialog, category: CategoryDialog }

const LOOK_EVERY_MS = 2_000
const RELOOK_EVERY_MS = 15_000

/** What a mini program shows of itself: each part with what stands, what was handed in, how many changes are left, and its button. */
export default function ProfileSection({ id }: { id: number }) {
  const data = useQuery({
    ...from.details.query({ id }),
    refetchInterval: ({ state: { data } }) =>
      data?.isAsking
        ? LOOK_EVERY_MS
        : data?.parts.some(({ change }) => change && isOpen(change.state)) && RELOOK_EVERY_MS,
  })
  const stands =
    data.data && JSON.stringify([data.data.readAt, data.data.parts.map(({ change }) => change?.state)])
  useFlowReadAgain(stands)
  if (data.isError && !data.data)
    return <LoadFailure error={data.error} onRetry={() => void data.refetch()} />
  if (!data.data) return <LoadingLines lines={6} />
  return data.data.hasProfile ? <Shown data={data.data} /> : null
}

function Shown({ data }: { data: ProfileData }) {
  const { id, isAsking, isAuthorized, message, readAt } = data
  const [opened, setOpened] = useState<Opened | null>(null)
  const mayEdit = usePermission('programFlow.edit') && isAuthorized
  const look = useMutation({
    mutationFn: async (_: { isByHand: boolean }) => {
      await from.look({ id })
      await reread()
    },
    onError: (error, { isByHand }) => {
      if (isByHand) toast.warning(messageOf(error))
    },
  })
  // Nobody has read it yet.
  const isUnread = mayEdit && readAt === null && !isAsking
  const begun = useRef(false)
  useEffect(() => {
    if (!isUnread || begun.current) return
    begun.current = true
    look.mutate({ isByHand: false })
  }, [isUnread, look.mutate])
  const Dialog = opened && DIALOGS[opened.part]
  return (
    <section className={styles.part} aria-label="小程序资料">
      <div className={styles.head}>
        <h2>小程序资料</h2>
        <span className={styles.quiet}>
          {readAt && (
            <>
              读取于 <Instant at={readAt} />
            </>
          )}
          {mayEdit && (
            <Button
              changes
              kind="link"
              busy={look.isPending || isAsking}
              onClick={() => look.mutate({ isByHand: true })}
            >
              读取资料
            </Button>
          )}
        </span>
      </div>
      {message !== '' && (
        <p className={styles.message} role="status">
          {message}
        </p>
      )}
      {isAsking && (
        <p className={styles.quiet} role="status">
          正在等待微信答复…
        </p>
      )}
      <ul className={styles.parts}>
        {data.parts.map(part => (
          <Part
            key={part.part}
            part={part}
            data={data}
            onOpen={mayEdit ? begins => setOpened({ part: part.part, begins }) : undefined}
          />
        ))}
      </ul>
      <History data={data} />
      <Suspense>
        {Dialog && <Dialog data={data} begins={opened.begins} onClose={() => setOpened(null)} />}
      </Suspense>
    </section>
  )
}

/** One that is added beside those that stand. */
const ANOTHER: CategoryBegins = { categoryId: null, alternative: 0, certificates: [], reason: '' }

type Opened = { part: ProfilePart; begins: CategoryBegins | undefined }
type PartProps = {
  part: PartData
  data: ProfileData
  /** Of a category: what its form begins with. */
  onOpen: ((begins?: CategoryBegins) => void) | undefined
}

function Part({ part: { part, value, change, left, quota, refusal }, data, onOpen }: PartProps) {
  const label = PROFILE_PARTS[part]
  const isPending = change !== null && change.state !== 'passed'
  const isListed = part === 'category' && data.categories.length > 0
  return (
    <li aria-label={label}>
      <div className={styles.what}>
        <h3>{label}</h3>
        {!isListed && <p>{value || (data.readAt === null ? '尚未读取' : '未设置')}</p>}
        {isPending && !data.categories.some(one => isListed && isOfCategory(change, one)) && (
          <Pending change={change} />
        )}
        {isListed && (
          <Suspense>
            <Categories data={data} change={change} refusal={refusal} onOpen={onOpen} />
          </Suspense>
        )}
        <p className={styles.quiet}>{quotaText(part, left, quota)}</p>
      </div>
      {onOpen && (
        <Button
          changes
          disabled={refusal ?? undefined}
          onClick={() => onOpen(isListed ? ANOTHER : undefined)}
        >
          {buttonText(part, value || (isListed ? label : ''), change)}
        </Button>
      )}
    </li>
  )
}

/** What was handed in and does not hold, with why it was refused. */
function Pending({ change: { state, value, reason, documentId, isRemoval } }: { change: ChangeData }) {
  return (
    <div className={styles.change}>
      <StatusTag tone={CHANGE_TONES[state]}>{stateText({ state, isRemoval })}</StatusTag>
      <span>
        {value}
        {reason !== '' && <span className={styles.reason}>{reason}</span>}
      </span>
      {documentId !== null && (
        <PaperFigure paper={{ id: documentId, ...SQUARE }} kind="headImage" purpose="miniProgram" />
      )}
    </div>
  )
}
const SQUARE = { state: 'current', width: 1, height: 1, expiresOn: null, isLongTerm: true } as const

const PERIODS = { name: '本年', headImage: '本月', intro: '本月', category: '本月' } as const
const quotaText = (part: ProfilePart, left: number | null, quota: number | null) =>
  left === null || quota === null ? '' : `${PERIODS[part]}还可修改 ${left} 次，共 ${quota} 次`

const stateText = ({ state, isRemoval }: Pick<ChangeData, 'state' | 'isRemoval'>) =>
  (isRemoval ? REMOVAL_STATES : CHANGE_STATES)[state]

function buttonText(part: ProfilePart, value: string, change: ChangeData | null): string {
  if (change?.state === 'refused' && !change.isRemoval && !(part === 'category' && value !== ''))
    return '修改后重新提交'
  if (part === 'category') return value === '' ? '提交类目' : '添加类目'
  return value === '' ? `提交${PROFILE_PARTS[part]}` : `修改${PROFILE_PARTS[part]}`
}

function History({ data: { history } }: { data: ProfileData }) {
  if (history.length === 0) return null
  return (
    <details className={styles.history}>
      <summary>提交记录（{history.length}）</summary>
      <ol>
        {history.map(({ id, part, value, state, isRemoval, reason, submittedByName, submittedAt }) => (
          <li key={id}>
            <StatusTag tone={CHANGE_TONES[state]}>{stateText({ state, isRemoval })}</StatusTag>
            <span>
              {PROFILE_PARTS[part]}
              {value !== '' && `「${value}」`} · {submittedByName} <Instant at={submittedAt} />
              {reason !== '' && `：${reason}`}
            </span>
          </li>
        ))}
      </ol>
    </details>
  )
}
