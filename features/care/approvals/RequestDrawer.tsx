import { useQuery } from '@tanstack/react-query'
import { useHistory } from '#features/office/access/slots.tsx'
import { AgentLink } from '#features/office/agents/AgentLink.tsx'
import { pictureAddress } from '#kit/picture.ts'
import { formatInstant } from '#kit/time.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant, PhoneNumber } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { Drawer, DrawerBody } from '#web/form/Drawer.tsx'
import { EmptyState, LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { isReadingDrawer, useKeys } from '#web/keys/keys.ts'
import { AtServices } from './AtServices.tsx'
import styles from './approvals.module.css'
import { type ApprovalRow, approvalsApi, lookAgainMs } from './approvalsApi.tsx'
import { APPROVAL_FIELDS } from './fields.ts'
import { isEndedApart, RequestHistory, StateTag } from './RequestHistory.tsx'
import { APPROVAL_KINDS } from './rules.ts'
import type { Decisions } from './useDecisions.tsx'

type Props = { id: number; merchantId: number; decisions: Decisions; onClose: () => void }

/** One request over the list: what is asked for beside its picture, the decision, and what the shop asked for before. */
export default function RequestDrawer({ id, merchantId, decisions, onClose }: Props) {
  const shop = useQuery({
    ...approvalsApi.ofShop.query({ merchantId }),
    refetchInterval: ({ state }) => lookAgainMs(state.data?.rows.find(one => one.id === id)),
  })
  const row = shop.data?.rows.find(one => one.id === id)
  useKeys(
    '申请详情',
    row && decisions.keys
      ? decisions.keys.map(({ press, does, act }) => ({
          press,
          does,
          everywhere: true,
          act: (event: KeyboardEvent) => {
            if (isReadingDrawer(event)) act(row)
          },
        }))
      : [],
  )
  return (
    <Drawer title={row ? `${APPROVAL_KINDS[row.kind]}申请` : '申请'} onClose={onClose}>
      <DrawerBody>
        {shop.isError ? (
          <LoadFailure error={shop.error} onRetry={() => void shop.refetch()} />
        ) : !shop.data ? (
          <LoadingLines lines={10} />
        ) : !row ? (
          <EmptyState title="没有这条申请" role="alert">
            <p>该申请不在商户最近的申请记录中</p>
          </EmptyState>
        ) : (
          <Request row={row} others={shop.data.rows} decisions={decisions} />
        )}
      </DrawerBody>
    </Drawer>
  )
}

type RequestProps = { row: ApprovalRow; others: readonly ApprovalRow[]; decisions: Decisions }

function Request({ row, others, decisions }: RequestProps) {
  const history = useHistory()
  const before = others.filter(({ id }) => id !== row.id)
  return (
    <div className={styles.body}>
      <header className={styles.head}>
        <h3>{row.content}</h3>
        <StateTag state={row.state} />
      </header>
      {row.pictureId && (
        <a href={pictureAddress(row.pictureId)} target="_blank" rel="noreferrer">
          <img className={styles.picture} src={pictureAddress(row.pictureId)} alt="申请图片" />
        </a>
      )}
      <Facts>
        <Fact label={APPROVAL_FIELDS.current.label}>{row.current || '无'}</Fact>
        <Fact label={APPROVAL_FIELDS.contentBefore.label}>{row.contentBefore || '无'}</Fact>
        <Fact label={APPROVAL_FIELDS.note.label}>{row.note || '—'}</Fact>
        <Fact label={APPROVAL_FIELDS.bySms.label}>{row.bySms ? '是' : '否'}</Fact>
        <Fact label="店铺">
          {row.shopName}（{row.merchantId}）
        </Fact>
        <Fact label={APPROVAL_FIELDS.account.label}>
          <PhoneNumber number={row.account} />
        </Fact>
        <Fact label={APPROVAL_FIELDS.agentName.label}>
          <AgentLink id={row.agentId}>
            {row.agentName}（{row.agentId}）
          </AgentLink>
        </Fact>
        <Fact label="提交">
          {row.createdByName} <Instant at={row.createdAt} />
        </Fact>
        {row.approvedAt && (
          <Fact label="审批">
            {row.approvedByName} {formatInstant(row.approvedAt)}
          </Fact>
        )}
        {isEndedApart(row) && (
          <Fact label="处理">
            {row.handledByName} {formatInstant(row.handledAt)}
          </Fact>
        )}
        {row.serviceAnswer && <Fact label={APPROVAL_FIELDS.serviceAnswer.label}>{row.serviceAnswer}</Fact>}
        {row.reason && <Fact label={APPROVAL_FIELDS.reason.label}>{row.reason}</Fact>}
        {row.advice && <Fact label={APPROVAL_FIELDS.advice.label}>{row.advice}</Fact>}
      </Facts>
      <div className={styles.steps}>
        {decisions.actionsOf(row).map(({ key, label, disabled, onClick }, at) => (
          <Button
            key={key}
            changes
            kind={at === 0 ? 'primary' : 'plain'}
            disabled={disabled}
            onClick={onClick}
          >
            {label}
          </Button>
        ))}
        {history
          .actionsOf({ kind: 'approval', id: row.id, name: row.content })
          .map(({ key, label, onClick }) => (
            <Button key={key} kind="quiet" onClick={onClick}>
              {label}
            </Button>
          ))}
      </div>
      {row.kind === 'signature' && <AtServices request={row} />}
      <section aria-label="该商户的申请记录">
        <h4>该商户的申请记录</h4>
        {before.length === 0 ? <p className={look.quiet}>没有其他申请</p> : <RequestHistory rows={before} />}
      </section>
      {history.drawer}
    </div>
  )
}
