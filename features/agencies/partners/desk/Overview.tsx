import type { ReactNode } from 'react'
import { MEANINGS } from '#features/overview/insights/rules.ts'
import { monthAfter } from '#features/sales/settlement/rules.ts'
import { type SearchOf, type Target, target } from '#kit/declare/pages.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { addDays, formatDay, formatInstant } from '#kit/time.ts'
import { useMayOpen } from '#web/client/session.ts'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { Figure } from '#web/facts/Figure.tsx'
import { PARTNER_ROW_FIELDS } from './fields.ts'
import type { Partner } from './PartnerHead.tsx'
import styles from './partner-desk.module.css'
import { ENDING_DAYS, SPENT_DAYS } from './rules.ts'

const SHOPS = '/admin/merchant/myMerchant'
const STATEMENT = '/admin/detail/statement'

/** What is counted of a partner; each number leads to what it counts. */
export function Overview({ partner }: { partner: Partner }) {
  const { id, figures } = partner
  const today = formatDay(new Date())
  const month = today.slice(0, 7)
  const earlier = monthAfter(month, -1)
  const shops = (search: SearchOf<typeof SHOPS>) => target(SHOPS, { agentId: id, ...search })
  return (
    <div className={styles.overview}>
      <section className={styles.section} aria-label="商户">
        <h2 className={look.sectionTitle}>商户</h2>
        <dl className={styles.figures}>
          <Figure label="全部（家）" value={<To {...shops({})} count={figures.shops} />} />
          <Figure
            label={`${ENDING_DAYS} 天内到期（家）`}
            tone={figures.ending > 0 ? 'attention' : undefined}
            value={
              <To
                {...shops({ expiresFrom: today, expiresTo: addDays(today, ENDING_DAYS) })}
                count={figures.ending}
              />
            }
          />
          <Figure
            label="已过期（家）"
            value={<To {...shops({ expiresTo: addDays(today, -1) })} count={figures.expired} />}
          />
          <Figure
            label="已禁用（家）"
            value={<To {...shops({ status: 'disabled' })} count={figures.disabled} />}
          />
        </dl>
      </section>
      <section className={styles.section} aria-label="销售与消耗">
        <h2 className={look.sectionTitle}>销售与消耗（代币）</h2>
        <dl className={styles.figures}>
          <Figure
            label="本月销售额"
            value={<To {...target(STATEMENT, { agentId: id, month })}>{formatCents(figures.salesCents)}</To>}
          />
          <Figure
            label="上月销售额"
            value={
              <To {...target(STATEMENT, { agentId: id, month: earlier })}>
                {formatCents(figures.beforeCents)}
              </To>
            }
          />
          <Figure label={`近 ${SPENT_DAYS} 天消耗`} value={formatCents(figures.spentCents)}>
            <dd>{figures.daysLeft === null ? '没有消耗' : `余额可用 ${formatCount(figures.daysLeft)} 天`}</dd>
          </Figure>
          <Figure label={PARTNER_ROW_FIELDS.boughtOn.label} value={figures.boughtOn ?? '从未'} />
        </dl>
        <p className={styles.meaning}>销售额：{MEANINGS.sales}</p>
      </section>
      <section className={styles.section} aria-label="资料">
        <h2 className={look.sectionTitle}>公司</h2>
        <Facts>
          <Fact label={PARTNER_ROW_FIELDS.regionName.label}>{partner.regionName || <Unset />}</Fact>
          <Fact label="地址">{partner.address || <Unset />}</Fact>
          <Fact label="合同">{contractText(partner)}</Fact>
          <Fact label={PARTNER_ROW_FIELDS.payEnabled.label}>{partner.payEnabled ? '已开通' : '未开通'}</Fact>
          <Fact label="下级">
            {figures.children === 0 ? (
              '没有下级'
            ) : (
              <To {...target('/admin/operations/agents', { parentId: id })}>
                {formatCount(figures.children)} 家
              </To>
            )}
          </Fact>
          <Fact label="人员">{formatCount(figures.people)} 人</Fact>
          <Fact label={PARTNER_ROW_FIELDS.createdAt.label}>{formatInstant(partner.createdAt)}</Fact>
        </Facts>
      </section>
    </div>
  )
}

function Unset() {
  return <span className={look.quiet}>未填写</span>
}

function contractText({ contractFrom, contractTo }: Partner): string {
  if (contractFrom === null && contractTo === null) return '未约定'
  return `${contractFrom ?? '未约定'} 至 ${contractTo ?? '未约定'}`
}

type ToProps = Target & { count?: number; children?: ReactNode }

/** A number that leads to its list, where one may see that and there is something. */
function To({ path, search, count, children = formatCount(count ?? 0) }: ToProps) {
  const mayOpen = useMayOpen(path)
  if (!mayOpen || count === 0) return children
  return (
    <Link to={path} search={search}>
      {children}
    </Link>
  )
}
