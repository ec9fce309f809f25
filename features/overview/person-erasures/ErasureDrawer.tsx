import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, useEffect, useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { formatCount } from '#kit/money.ts'
import { formatDay, formatInstant } from '#kit/time.ts'
import { messageOf, saveFile } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { Check } from '#web/form/Check.tsx'
import { Drawer, DrawerBody } from '#web/form/Drawer.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { ErasureData, ItemData } from './contract.ts'
import styles from './erasures.module.css'
import { erasuresApi } from './erasuresApi.tsx'
import { ERASURE_FIELDS as FIELDS, REJECTION } from './fields.ts'
import {
  BLOCKS,
  FATES,
  KIND_KEYS,
  KINDS,
  type Kind,
  LIMITS,
  MATCHES,
  REASONS,
  refuseItems,
  refuseStep,
  STEP_REFUSALS,
} from './rules.ts'

const AskDialog = lazy(() => import('./AskDialog.tsx'))
const RejectDialog = lazy(() => import('./RejectDialog.tsx'))

const POLL_MS = 1_500
const isAtWork = ({ state }: ErasureData) => state === 'looking' || state === 'running'

/** What is known of a person, what becomes of it and why, and how far it is. */
export default function ErasureDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const erasure = useQuery({
    ...erasuresApi.details.query({ id }),
    refetchInterval: ({ state: { data } }) => data !== undefined && isAtWork(data) && POLL_MS,
  })
  return (
    <Drawer title="个人信息删除" onClose={onClose}>
      <DrawerBody>
        {erasure.data ? (
          <Shown data={erasure.data} />
        ) : erasure.isError ? (
          <LoadFailure error={erasure.error} onRetry={() => void erasure.refetch()} />
        ) : (
          <LoadingLines lines={10} />
        )}
      </DrawerBody>
    </Drawer>
  )
}

function Shown({ data }: { data: ErasureData }) {
  // The list below says the same.
  useEffect(() => {
    if (data.state === 'found' || data.state === 'done') readAgain('personErasures')
  }, [data.state])
  const [asking, setAsking] = useState<'ask' | 'reject' | null>(null)
  const close = () => setAsking(null)
  const person = [data.phoneMasked, data.nameMasked, data.idNumberMasked].filter(text => text !== '')
  return (
    <div className={styles.body}>
      <header className={styles.head}>
        <h3>{person.join(' ')}</h3>
        <StatusTag tone={FIELDS.state.tones[data.state]}>{FIELDS.state.words[data.state]}</StatusTag>
      </header>
      <Steps data={data} onAsk={setAsking} />
      <Facts>
        <Fact label={FIELDS.number.label}>{data.number}</Fact>
        {data.channel && (
          <Fact label="本人提出">
            {data.askedOn && formatDay(data.askedOn)} {FIELDS.channel.words[data.channel]}
          </Fact>
        )}
        {data.reason && <Fact label={FIELDS.reason.label}>{data.reason}</Fact>}
        <Fact label="查找">
          {data.createdByName} {formatInstant(data.createdAt)}
        </Fact>
        {data.requestedAt && (
          <Fact label="提交">
            {data.requestedByName} {formatInstant(data.requestedAt)}
          </Fact>
        )}
        {data.approvedAt && (
          <Fact label="复核">
            {data.approvedByName} {formatInstant(data.approvedAt)}
          </Fact>
        )}
        {data.answer && <Fact label={REJECTION.reason.label}>{data.answer}</Fact>}
        {data.finishedAt && <Fact label={FIELDS.finishedAt.label}>{formatInstant(data.finishedAt)}</Fact>}
        {data.problem && <Fact label="未完成原因">{data.problem}</Fact>}
      </Facts>
      {data.state === 'looking' ? <LoadingLines lines={6} /> : <Known data={data} />}
      <Suspense>
        {asking === 'ask' && <AskDialog erasure={data} onClose={close} />}
        {asking === 'reject' && <RejectDialog id={data.id} onClose={close} />}
      </Suspense>
    </div>
  )
}

function save(path: string): void {
  saveFile(path).catch((error: unknown) => toast.error(messageOf(error)))
}

/** What can be done now; what cannot, says why. */
function Steps({ data, onAsk }: { data: ErasureData; onAsk: (what: 'ask' | 'reject') => void }) {
  const { id, state, certificate } = data
  const history = useHistory()
  const take = useMutation({
    mutationFn: (step: 'approve' | 'withdraw') => erasuresApi[step]({ id }),
    onError: error => toast.error(messageOf(error)),
    onSettled: (_answer, error) => (error ? readAgain('personErasures') : reread()),
  })
  const refused = refuseItems(data.items)
  const approve = async () => {
    const agreed = await confirm({
      title: `删除 ${data.phoneMasked} 的个人信息？`,
      text: '勾选的记录会被删除或抹除，不能恢复。',
      confirmText: '同意并删除',
      danger: true,
    })
    if (agreed) take.mutate('approve')
  }
  return (
    <div className={styles.steps}>
      {refuseStep(state, 'ask') === null && (
        <Button
          changes
          kind="danger"
          disabled={refused && STEP_REFUSALS[refused]}
          onClick={() => onAsk('ask')}
        >
          删除个人信息
        </Button>
      )}
      {refuseStep(state, 'approve') === null && (
        <>
          <Button
            changes
            kind="danger"
            busy={take.isPending}
            disabled={data.isOwn && STEP_REFUSALS.OWN_REQUEST}
            onClick={() => void approve()}
          >
            同意并删除
          </Button>
          <Button changes onClick={() => onAsk('reject')}>
            退回
          </Button>
        </>
      )}
      {(state === 'found' || state === 'asked') && (
        <Button onClick={() => save(`/api/person-erasures/${id}/known`)}>下载个人信息清单</Button>
      )}
      {refuseStep(state, 'withdraw') === null && (
        <Button changes busy={take.isPending} onClick={() => take.mutate('withdraw')}>
          取消申请
        </Button>
      )}
      {certificate && (
        <>
          <Button kind="primary" onClick={() => save(`/api/person-erasures/${id}/certificate`)}>
            下载删除证明
          </Button>
          <Button onClick={() => saveSigned(data.number, certificate)}>下载签名文件</Button>
        </>
      )}
      {history.actionsOf({ kind: 'erasure', id, name: data.number }).map(({ key, label, onClick }) => (
        <Button key={key} kind="quiet" onClick={onClick}>
          {label}
        </Button>
      ))}
      {history.drawer}
    </div>
  )
}

/** What `npm run person:erase -- --check` reads. */
function saveSigned(number: string, certificate: NonNullable<ErasureData['certificate']>): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(certificate)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${number}.json`
  link.click()
  URL.revokeObjectURL(url)
}

function Known({ data }: { data: ErasureData }) {
  const shown = data.state === 'done' ? data.items.filter(({ chosen }) => chosen) : data.items
  if (shown.length === 0) return <p className={styles.note}>没有找到与该号码有关的记录。</p>
  return (
    <div className={styles.kinds}>
      {KIND_KEYS.map(kind => (
        <KindOf key={kind} kind={kind} data={data} items={shown.filter(item => item.kind === kind)} />
      ))}
    </div>
  )
}

/** The items of one kind: those that may be somebody else's are ticked by whoever knows. */
function KindOf({ kind, data, items }: { kind: Kind; data: ErasureData; items: ItemData[] }) {
  const choose = useMutation({
    mutationFn: ({ key, chosen }: { key: string; chosen: boolean }) =>
      erasuresApi.choose({ id: data.id, keys: [key], chosen }),
    onError: error => toast.error(messageOf(error)),
    onSettled: () => readAgain('personErasures'),
  })
  if (items.length === 0) return null
  const mayChoose = refuseStep(data.state, 'ask') === null
  const rows = items.reduce((sum, item) => sum + item.rows, 0)
  return (
    <section aria-label={KINDS[kind]}>
      <h4>
        {KINDS[kind]}
        <span className={styles.note}>{formatCount(rows)} 条</span>
      </h4>
      <ul className={styles.items}>
        {items.slice(0, LIMITS.itemsShown).map(item => (
          <li key={item.key}>
            <div className={styles.what}>
              {item.choosable && mayChoose ? (
                <Check checked={item.chosen} onChange={chosen => choose.mutate({ key: item.key, chosen })}>
                  {titleOf(item)}
                </Check>
              ) : (
                <p className={styles.what}>{titleOf(item)}</p>
              )}
              <p className={styles.note}>
                {item.matched.map(match => MATCHES[match]).join('、')}一致
                {item.rows > 1 && ` · ${formatCount(item.rows)} 条`}
                {item.reason && ` · ${REASONS[item.reason]}`}
              </p>
              {item.block && data.state !== 'done' && <p className={styles.problem}>{BLOCKS[item.block]}</p>}
            </div>
            <StatusTag tone={toneOf(item)}>{item.chosen ? FATES[item.fate] : '不处理'}</StatusTag>
          </li>
        ))}
      </ul>
    </section>
  )
}

function titleOf({ what, kind, agentName, shopName, rowId }: ItemData): string {
  const whose = [agentName, shopName].filter(name => name !== null).join(' · ')
  const named = what || KINDS[kind]
  const title = rowId === null ? named : `${named} ${rowId}`
  return whose ? `${title}（${whose}）` : title
}

function toneOf({ chosen, fate }: ItemData): 'neutral' | 'attention' | 'problem' {
  if (!chosen) return 'neutral'
  return fate === 'stays' ? 'attention' : 'problem'
}
