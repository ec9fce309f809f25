import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { formatCents } from '#kit/money.ts'
import { QrCode } from '#web/chart/QrCode.tsx'
import { messageOf, newKey } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { usePermission, useSession } from '#web/client/session.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { copyText, share } from '#web/controls/copy.ts'
import { Instant } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { Drawer, DrawerBody } from '#web/form/Drawer.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { DepositData, RequestData } from './contract.ts'
import styles from './deposits.module.css'
import { depositsApi } from './depositsApi.tsx'
import { DEPOSIT_FIELDS as FIELDS, REQUEST_STATE } from './fields.ts'
import { outcomeText, REQUEST_KINDS, refuseRequest, STEP_REFUSALS } from './rules.ts'

const PayOutDialog = lazy(() => import('./PayOutDialog.tsx'))
const RequestDialog = lazy(() => import('./RequestDialog.tsx'))
const WhyDialog = lazy(() => import('./WhyDialog.tsx'))

/** How often it is looked at while it is being paid, or paid back. */
const POLL_MS = 5_000
const isMoving = ({ state, requests }: DepositData) =>
  state === 'waiting' || requests.some(request => request.state === 'paying')

/** One deposit over its list: the code by which it is paid, what is held of it, and what was asked and decided. */
export default function DepositDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const data = useQuery({
    ...depositsApi.details.query({ id }),
    refetchInterval: ({ state: { data: known } }) => known !== undefined && isMoving(known) && POLL_MS,
  })
  return (
    <Drawer title="押金" onClose={onClose}>
      <DrawerBody>
        {data.isError && !data.data ? (
          <LoadFailure error={data.error} onRetry={() => void data.refetch()} />
        ) : !data.data ? (
          <LoadingLines lines={10} />
        ) : (
          <Shown deposit={data.data} />
        )}
      </DrawerBody>
    </Drawer>
  )
}

type Asking = { what: 'request' | 'cancel' } | { what: 'reject' | 'payOut'; request: RequestData }

function Shown({ deposit }: { deposit: DepositData }) {
  const { id, shopName, state, payUrl, requests } = deposit
  const history = useHistory()
  const { isVendorStaff } = useSession()
  const [asking, setAsking] = useState<Asking | null>(null)
  const close = () => setAsking(null)
  const refused = refuseRequest(deposit)
  return (
    <div className={styles.body}>
      <header className={styles.head}>
        <b>{shopName}</b>
        <StatusTag tone={FIELDS.state.tones[state]}>{FIELDS.state.words[state]}</StatusTag>
        <span className={look.quiet}>
          {deposit.merchantId} · {deposit.agentName}
        </span>
      </header>
      <div className={styles.steps}>
        {state === 'waiting' ? (
          <Permit permission="deposits.ask">
            <Button changes onClick={() => setAsking({ what: 'cancel' })}>
              取消押金
            </Button>
          </Permit>
        ) : (
          refused !== 'NOT_HELD' && (
            <Permit permission="deposits.request">
              <Button
                changes
                kind="primary"
                disabled={refused && STEP_REFUSALS[refused]}
                onClick={() => setAsking({ what: 'request' })}
              >
                {isVendorStaff ? '退还或扣留' : '申请退还'}
              </Button>
            </Permit>
          )
        )}
        {history.actionsOf({ kind: 'deposit', id, name: shopName }).map(({ key, label, onClick }) => (
          <Button key={key} kind="quiet" onClick={onClick}>
            {label}
          </Button>
        ))}
      </div>
      {payUrl !== null && <PayCode url={payUrl} deposit={deposit} />}
      <Facts>
        <Fact label={FIELDS.subject.label}>{deposit.subject}</Fact>
        <Fact label={FIELDS.kind.label}>{FIELDS.kind.words[deposit.kind]}</Fact>
        <Fact label={FIELDS.amountFen.label}>{formatCents(deposit.amountFen)} 元</Fact>
        <Fact label={FIELDS.heldFen.label}>{formatCents(deposit.heldFen)} 元</Fact>
        <Fact label={FIELDS.returnedFen.label}>{formatCents(deposit.returnedFen)} 元</Fact>
        <Fact label={FIELDS.keptFen.label}>{formatCents(deposit.keptFen)} 元</Fact>
        <Fact label={FIELDS.orderNo.label}>{deposit.orderNo}</Fact>
      </Facts>
      <section aria-labelledby={`deposit-${id}-history`}>
        <h3 id={`deposit-${id}-history`} className={look.sectionTitle}>
          经过
        </h3>
        <ol className={styles.history}>
          {requests.map(request => (
            <RequestItem
              key={request.id}
              request={request}
              heldFen={deposit.heldFen}
              onReject={() => setAsking({ what: 'reject', request })}
              onPayOut={() => setAsking({ what: 'payOut', request })}
            />
          ))}
          <Made deposit={deposit} />
        </ol>
      </section>
      <Suspense>
        {asking?.what === 'request' && <RequestDialog deposit={deposit} onClose={close} />}
        {asking?.what === 'cancel' && (
          <WhyDialog
            title="取消押金"
            submitText="取消押金"
            danger
            note={`${shopName}的押金 ${formatCents(deposit.amountFen)} 元将不再收取，付款码失效；此后仍有付款的，自动原路退回。`}
            done="已取消"
            send={reason => depositsApi.cancel({ id, reason })}
            onClose={close}
          />
        )}
        {asking?.what === 'reject' && (
          <WhyDialog
            title="驳回申请"
            submitText="驳回"
            note={`${asking.request.askedByName}申请${REQUEST_KINDS[asking.request.kind]} ${formatCents(asking.request.amountFen)} 元。`}
            done="已驳回"
            send={reason => depositsApi.reject({ id: asking.request.id, reason })}
            onClose={close}
          />
        )}
        {asking?.what === 'payOut' && <PayOutDialog request={asking.request} onClose={close} />}
      </Suspense>
      {history.drawer}
    </div>
  )
}

/** The code that the shop scans, and the same as a link to be sent. */
function PayCode({ url, deposit: { shopName, subject, amountFen } }: { url: string; deposit: DepositData }) {
  const words = `${shopName}，请支付押金 ${formatCents(amountFen)} 元（${subject}）`
  return (
    <section className={styles.pay} aria-label="付款码">
      <div className={styles.code}>
        <QrCode text={url} label="押金付款码" />
      </div>
      <p>商户用手机扫码付款，或把链接发给商户</p>
      <div className={styles.steps}>
        <Button changes={false} onClick={() => void copyText(url)}>
          复制链接
        </Button>
        <Button changes={false} onClick={() => void share({ title: '支付押金', text: `${words}\n${url}` })}>
          分享
        </Button>
        <a className={buttonLook()} href={url} target="_blank" rel="noreferrer">
          打开付款页
        </a>
      </div>
    </section>
  )
}

type ItemProps = { request: RequestData; heldFen: number; onReject: () => void; onPayOut: () => void }

/** What was asked, by whom, and what came of it; decided where it stands, by another than who asked. */
function RequestItem({ request, heldFen, onReject, onPayOut }: ItemProps) {
  const { id, kind, amountFen, state } = request
  const mayDecide = usePermission('deposits.decide')
  const [idempotencyKey] = useState(newKey)
  const act = useMutation({
    mutationFn: (what: 'approve' | 'withdraw') =>
      what === 'approve' ? depositsApi.approve({ id }, { idempotencyKey }) : depositsApi.withdraw({ id }),
    onSuccess: async (_moved, what) => {
      toast.success(what === 'approve' ? '已通过' : '已撤回')
      await reread()
    },
    onError: error => {
      toast.warning(messageOf(error))
      readAgain('deposits')
    },
  })
  const approve = async () => {
    const asked = await confirm({
      title: `${REQUEST_KINDS[kind]} ${formatCents(amountFen)} 元？`,
      text: `${outcomeText(kind, amountFen, heldFen)}。${kind === 'return' ? '能原路退回的原路退回，否则转为线下退款。' : '扣留的押金计入厂商收入。'}不能撤销。`,
      confirmText: '通过',
      danger: kind === 'keep',
    })
    if (asked) act.mutate('approve')
  }
  return (
    <li className={styles.item}>
      <p className={styles.itemHead}>
        <b>
          {REQUEST_KINDS[kind]} {formatCents(amountFen)} 元
        </b>
        <StatusTag tone={REQUEST_STATE.tones[state]}>{REQUEST_STATE.words[state]}</StatusTag>
      </p>
      <p>原因：{request.reason}</p>
      <p className={look.quiet}>
        {request.askedByName} <Instant at={request.askedAt} /> 申请
      </p>
      {request.decidedAt && (
        <p className={look.quiet}>
          {request.decidedByName} <Instant at={request.decidedAt} /> {state === 'rejected' ? '驳回' : '通过'}
          {request.answer && `：${request.answer}`}
        </p>
      )}
      <Outcome request={request} />
      <div className={styles.steps}>
        {state === 'asked' && mayDecide && (
          <>
            <Button
              changes
              kind="primary"
              busy={act.isPending}
              disabled={request.isOwn && STEP_REFUSALS.OWN_REQUEST}
              onClick={() => void approve()}
            >
              通过
            </Button>
            <Button changes disabled={request.isOwn && STEP_REFUSALS.OWN_REQUEST} onClick={onReject}>
              驳回
            </Button>
          </>
        )}
        {state === 'asked' && request.isOwn && (
          <Button changes busy={act.isPending} onClick={() => act.mutate('withdraw')}>
            撤回申请
          </Button>
        )}
        {state === 'owed' && mayDecide && (
          <Button changes kind="primary" onClick={onPayOut}>
            登记线下退款
          </Button>
        )}
      </div>
    </li>
  )
}

function Outcome({
  request: { state, refundNo, providerWords, receiptNo, paidOutByName, doneAt },
}: {
  request: RequestData
}): ReactNode {
  if (receiptNo)
    return (
      <p className={look.quiet}>
        {paidOutByName} {doneAt && <Instant at={doneAt} />} 线下退款，回单号 {receiptNo}
      </p>
    )
  if (state === 'owed')
    return refundNo ? (
      <p>
        原路退款失败：{providerWords}{' '}
        <Permit permission="paymentDesk.refund">
          <Link to="/admin/operations/payments" search={{ view: 'refunds', search: refundNo }}>
            去重试
          </Link>
        </Permit>
      </p>
    ) : (
      <p>已超过原路退款期限，或支付渠道未接入</p>
    )
  if (!refundNo) return null
  return (
    <p className={look.quiet}>
      退款单号 {refundNo}
      {state === 'done' && doneAt && (
        <>
          ，<Instant at={doneAt} /> 已原路退回
        </>
      )}
    </p>
  )
}

/** How it began: asked for, paid or called off. */
function Made({ deposit }: { deposit: DepositData }) {
  return (
    <>
      {deposit.cancelledAt && (
        <li className={styles.item}>
          <b>已取消</b>
          <p>原因：{deposit.cancelReason}</p>
          <p className={look.quiet}>
            {deposit.cancelledByName} <Instant at={deposit.cancelledAt} />
          </p>
        </li>
      )}
      {deposit.paidAt && (
        <li className={styles.item}>
          <b>商户支付 {formatCents(deposit.amountFen)} 元</b>
          <p className={look.quiet}>
            {deposit.payMethod && FIELDS.payMethod.words[deposit.payMethod]} <Instant at={deposit.paidAt} />
          </p>
        </li>
      )}
      <li className={styles.item}>
        <b>收取押金 {formatCents(deposit.amountFen)} 元</b>
        <p className={look.quiet}>
          {deposit.askedByName} <Instant at={deposit.askedAt} />
        </p>
      </li>
    </>
  )
}
