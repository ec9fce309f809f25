import { INVITATION_STATES } from '#features/agencies/partners/rules.ts'
import { AgentLink } from '#features/office/agents/AgentLink.tsx'
import { AGENT_STATUSES, AGENT_TONES } from '#features/office/agents/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { formatDay } from '#kit/time.ts'
import { Button } from '#web/controls/Button.tsx'
import { discountText, PhoneNumber } from '#web/controls/format.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Figure } from '#web/facts/Figure.tsx'
import { RowMenu } from '#web/list/RowMenu.tsx'
import { useReadOnly } from '#web/shell/OwnAffairs.tsx'
import type { partnerDesk } from './contract.ts'
import { PARTNER_ROW_FIELDS } from './fields.ts'
import styles from './partner-desk.module.css'
import { usePartnerActions } from './usePartnerActions.tsx'

export type Partner = Out<typeof partnerDesk.details>

/** What is done most stands beside the name. */
const BESIDE = ['credit', 'edit']
/** Of these days the balance is low. */
const LOW_DAYS = 7

/** Who it is, how it stands, and what can be done with it. */
export function PartnerHead({ partner }: { partner: Partner }) {
  const { actionsOf, dialogs } = usePartnerActions()
  const actions = actionsOf(partner)
  const readOnly = useReadOnly()
  const folded = actions
    .filter(({ key }) => !BESIDE.includes(key))
    .map(action => (readOnly === null || action.reads ? action : { ...action, disabled: readOnly }))
  const { parent, invitation } = partner
  return (
    <header className={styles.head}>
      <div className={styles.headTop}>
        <div className={styles.headName}>
          <h1>
            {partner.companyName}{' '}
            <StatusTag tone={AGENT_TONES[partner.status]}>{AGENT_STATUSES[partner.status]}</StatusTag>
          </h1>
          <p className={styles.headNote}>
            编号 {partner.id} · {partner.levelName}（{discountText(partner.discountBasisPoints)}） ·{' '}
            {partner.isVendor ? (
              '厂商'
            ) : parent ? (
              <>
                上级 <AgentLink id={parent.id}>{parent.companyName}</AgentLink>
              </>
            ) : (
              '厂商直属'
            )}
            {partner.regionName && ` · ${partner.regionName}`}
          </p>
          <p className={styles.headNote}>
            {partner.contactName} <PhoneNumber number={partner.mobile} />
            {partner.telephone && <> · {partner.telephone}</>}
          </p>
        </div>
        <div className={styles.headActions}>
          {actions
            .filter(({ key }) => BESIDE.includes(key))
            .map(({ key, label, onClick, disabled, reads }) => (
              <Button key={key} changes={!reads} disabled={disabled ?? null} onClick={onClick}>
                {label}
              </Button>
            ))}
          {folded.length > 0 && <RowMenu actions={folded} />}
        </div>
      </div>
      {partner.status === 'suspended' && (
        <p className={styles.notice} data-tone="attention">
          {partner.suspendedAt && `${formatDay(partner.suspendedAt)} 起`}已暂停：{partner.suspendedFor}
        </p>
      )}
      {invitation !== null && invitation !== 'accepted' && (
        <p className={styles.notice}>负责人尚未设置密码：邀请{INVITATION_STATES[invitation]}</p>
      )}
      <dl className={styles.figures}>
        <Figure label="代币余额" value={formatCents(partner.tokenBalanceCents)}>
          <dd>{lastsText(partner)}</dd>
        </Figure>
        <Figure label="短信余额（条）" value={formatCount(partner.smsBalance)} />
        <Figure label="商户（家）" value={formatCount(partner.figures.shops)}>
          <dd>本月新增 {formatCount(partner.figures.opened)}</dd>
        </Figure>
        <Contract partner={partner} />
      </dl>
      {dialogs}
    </header>
  )
}

function lastsText({ daysLeft, tokenBalanceCents }: Partner) {
  if (daysLeft === null) return tokenBalanceCents > 0 ? '近 30 天没有消耗' : '没有余额'
  const text = `按近 30 天消耗可用 ${formatCount(daysLeft)} 天`
  return daysLeft < LOW_DAYS ? <span className={styles.low}>{text}</span> : text
}

function Contract({ partner: { contractFrom, contractTo } }: { partner: Partner }) {
  const today = formatDay(new Date())
  const isOver = contractTo !== null && contractTo < today
  return (
    <Figure
      label={PARTNER_ROW_FIELDS.contractTo.label}
      value={contractTo ?? '未约定'}
      tone={isOver ? 'problem' : undefined}
    >
      {contractFrom && <dd>{contractFrom} 起</dd>}
    </Figure>
  )
}
