import { lazy } from 'react'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { AGENT_CELL } from '#features/office/agents/agentCell.tsx'
import { useVerificationData } from '#features/shops/merchants/slots.tsx'
import { pictureAddress } from '#kit/picture.ts'
import { idAsked, usePageSearch } from '#web/client/navigation.ts'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { keyNames } from '#web/keys/keys.ts'
import { List } from '#web/list/List.tsx'
import styles from './approvals.module.css'
import { type ApprovalRow, approvalsApi } from './approvalsApi.tsx'
import { APPROVALS } from './fields.ts'
import type { ApprovalKind } from './rules.ts'
import { useDecisions } from './useDecisions.tsx'

const RequestDrawer = lazy(() => import('./RequestDrawer.tsx'))

const FROM = {
  signature: approvalsApi.signatures,
  shopName: approvalsApi.shopNames,
  memberTitle: approvalsApi.memberTitles,
} as unknown as Record<ApprovalKind, typeof approvalsApi.signatures>

/** The requests of one kind: decided one by one, by keys, or many at once. `?request=` in its address opens one over the list. */
export function ApprovalList({ kind }: { kind: ApprovalKind }) {
  const opened = useOpened()
  const decisions = useDecisions()
  const verification = useVerificationData()
  return (
    <>
      <List
        of={APPROVALS[kind] as typeof APPROVALS.signature}
        from={FROM[kind]}
        cells={CELLS}
        options={{ agentId: AGENT_OPTIONS }}
        onOpen={opened.open}
        openKey={opened.id}
        rowActions={row => [
          ...decisions.actionsOf(row),
          { key: 'details', label: '查看', reads: true, onClick: () => opened.open(row) },
          ...(kind === 'signature'
            ? verification.actionsOf({ id: row.merchantId, shopName: row.shopName, requestId: row.id })
            : []),
        ]}
        actionsWidth={152}
        rowKeys={decisions.keys}
        bulk={decisions.bulk}
        selectable={decisions.refusalOf}
        summary={decisions.keys && (() => <KeysHint keys={decisions.keys ?? []} />)}
      />
      {opened.id !== null && opened.merchantId !== null && (
        <Suspense>
          <RequestDrawer
            key={opened.id}
            id={opened.id}
            merchantId={opened.merchantId}
            decisions={decisions}
            onClose={opened.close}
          />
        </Suspense>
      )}
      {decisions.dialogs}
      {verification.dialog}
    </>
  )
}

/** Which request is open over the list, and of which shop, as the address says. */
function useOpened() {
  const [asked, ask] = usePageSearch<'/admin/merchant/smsManage' | '/admin/merchant/storeName'>()
  const go = (row: { id: number; merchantId: number } | null) =>
    ask({ request: row?.id, user_id: row?.merchantId })
  return { id: idAsked(asked.request), merchantId: idAsked(asked.user_id), open: go, close: () => go(null) }
}

function KeysHint({ keys }: { keys: readonly { press: string; does: string }[] }) {
  return (
    <p className={styles.keys} data-part="keys-hint">
      <span>J / K 下一条、上一条</span>
      {keys.map(({ press, does }) => (
        <span key={press}>
          {keyNames(press).join(' ')} {does}
        </span>
      ))}
    </p>
  )
}

const CELLS = {
  agentName: AGENT_CELL,
  current: (row: ApprovalRow) => <span className={look.quiet}>现在：{row.current || '无'}</span>,
  /** Whoever let it pass often ended it, too. */
  handledByName: (row: ApprovalRow) => (row.handledByName === row.approvedByName ? null : row.handledByName),
  picture: {
    copy: undefined,
    render: ({ pictureId }: ApprovalRow) =>
      pictureId && (
        <img className={styles.thumb} src={pictureAddress(pictureId)} alt="申请图片" loading="lazy" />
      ),
  },
}
