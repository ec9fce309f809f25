import { useQuery } from '@tanstack/react-query'
import type { CreditedAsset } from '#features/money/ledger/rules.ts'
import { LaterAgentPicker } from '#features/office/agents/LaterAgentPicker.tsx'
import type { Out } from '#kit/declare/op.ts'
import type { SearchOf } from '#kit/declare/pages.ts'
import { formatCount } from '#kit/money.ts'
import { formatDay, formatInstant } from '#kit/time.ts'
import { api, messageOf } from '#web/client/api.ts'
import { useMayOpen, useSession } from '#web/client/session.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Fact } from '#web/facts/Facts.tsx'
import { FigureTable } from '#web/facts/FigureTable.tsx'
import { FileLink } from '#web/form/files/FileLink.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import { AgentLogo } from '#web/shell/AgentBrand.tsx'
import type { settlement } from './contract.ts'
import { BILL_FIELDS, SUB_AGENT_FIELDS } from './fields.ts'
import { daysOfMonth, monthAfter, monthsUntil, SECTIONS } from './rules.ts'
import { StatementSales } from './StatementSales.tsx'
import styles from './settlement.module.css'

const settlementApi = api<typeof settlement>('settlement')

type Statement = Out<typeof settlement.statement>
type Section = Statement['sections'][number]
type Params = SearchOf<'/admin/detail/statement'>

/** Months that can be chosen. */
const CHOICES = 36

/** The monthly statement: what an agent had, what moved, what it has, in tokens and in SMS credit. */
export default function StatementPage() {
  const session = useSession()
  const [params, setParams] = useListParams<Params>()
  const today = formatDay(new Date()).slice(0, 7)
  const month = params.month ?? monthAfter(today, -1)
  const asked = { month, ...(params.agentId === undefined ? {} : { agentId: params.agentId }) }
  const query = useQuery({
    ...settlementApi.statement.query(asked),
  })
  const files = new URLSearchParams(Object.entries(asked).map(([key, value]) => [key, String(value)]))
  return (
    <div className={`${look.page} ${styles.statement}`}>
      <header className={styles.statementHead}>
        <h1 className={look.pageTitle}>月度对账单</h1>
        <div className={styles.statementFiles}>
          <FileLink href={`/api/settlement/statement.xlsx?${files}`} rows={null}>
            导出 Excel
          </FileLink>
          <a className={buttonLook()} href={`/api/settlement/statement.pdf?${files}`} download>
            导出 PDF
          </a>
        </div>
      </header>
      <div className={styles.statementControls}>
        <MonthPicker month={month} today={today} onChange={chosen => setParams({ month: chosen })} />
        {session.isVendorStaff && (
          <div className={styles.statementAgent}>
            <LaterAgentPicker
              value={params.agentId ?? session.agentId}
              onChange={agentId => setParams({ agentId })}
            />
          </div>
        )}
      </div>
      {query.data ? (
        <StatementBody statement={query.data} isCurrent={month >= today} />
      ) : query.isError ? (
        <div className={styles.statementWait} role="alert">
          <p>{messageOf(query.error)}</p>
          <Button onClick={() => void query.refetch()}>重试</Button>
        </div>
      ) : (
        <p className={styles.statementWait}>加载中</p>
      )}
    </div>
  )
}

type PickerProps = { month: string; today: string; onChange: (month: string) => void }

function MonthPicker({ month, today, onChange }: PickerProps) {
  const months = monthsUntil(today, CHOICES).toReversed()
  const known = months.includes(month)
  return (
    <div className={styles.monthPicker}>
      <Button aria-label="上一月" onClick={() => onChange(monthAfter(month, -1))}>
        ‹
      </Button>
      <select
        className={look.select}
        aria-label="月份"
        value={month}
        onChange={event => onChange(event.target.value)}
      >
        {!known && <option value={month}>{monthText(month)}</option>}
        {months.map(one => (
          <option key={one} value={one}>
            {monthText(one)}
          </option>
        ))}
      </select>
      <Button
        aria-label="下一月"
        disabled={month >= today ? '之后的月份还没有数据' : null}
        onClick={() => onChange(monthAfter(month, 1))}
      >
        ›
      </Button>
    </div>
  )
}

function monthText(month: string): string {
  return `${month.slice(0, 4)} 年 ${Number(month.slice(5))} 月`
}

function StatementBody({ statement, isCurrent }: { statement: Statement; isCurrent: boolean }) {
  return (
    <>
      {statement.logoId !== null && <AgentLogo logoId={statement.logoId} />}
      <dl className={styles.statementFacts}>
        <Fact label={SUB_AGENT_FIELDS.companyName.label}>
          {statement.companyName}（{statement.agentId}）
        </Fact>
        <Fact label={BILL_FIELDS.levelName.label}>{statement.levelName}</Fact>
        <Fact label="期间">
          {statement.from} 至 {isCurrent ? formatDay(statement.createdAt) : statement.to}
        </Fact>
        <Fact label="生成时间">{formatInstant(statement.createdAt)}</Fact>
      </dl>
      {isCurrent && <p className={styles.undoNote}>本月尚未结束，期末余额为截至目前的余额</p>}
      {statement.sections.map(section => (
        <SectionTable key={section.asset} section={section} statement={statement} />
      ))}
      <StatementSales statement={statement} />
    </>
  )
}

const MOVEMENTS = {
  token: '/admin/detail/personalDetails',
  sms: '/admin/detail/merchantMsgChanges',
} as const satisfies Record<CreditedAsset, string>

/** The movements that the section sums up, one by one. */
function MovementsLink({ asset, statement }: { asset: CreditedAsset; statement: Statement }) {
  const session = useSession()
  const { first: from, last: to } = daysOfMonth(statement.month)
  const mayOpen = useMayOpen(MOVEMENTS[asset])
  if (!mayOpen) return null
  const agentId = statement.agentId === session.agentId ? undefined : statement.agentId
  return (
    <Link className={styles.statementMore} to={MOVEMENTS[asset]} search={{ from, to, agentId }}>
      查看明细
    </Link>
  )
}

/** The deposits that its shops paid, with what became of them. */
function DepositsLink({ statement }: { statement: Statement }) {
  const session = useSession()
  const agentId = statement.agentId === session.agentId ? undefined : statement.agentId
  return (
    <Permit permission="deposits.list">
      <Link className={styles.statementMore} to="/admin/tool/importDeposit" search={{ agentId }}>
        查看押金
      </Link>
    </Permit>
  )
}

type SectionProps = { section: Section; statement: Statement }

/** Opening balance, movements by kind, closing balance; it says whether they add up. */
function SectionTable({ section, statement }: SectionProps) {
  const { asset } = section
  const { title, unit, shown } = SECTIONS[asset]
  const count = section.movements.reduce((sum, line) => sum + line.count, 0)
  return (
    <section className={styles.statementSection} aria-label={title}>
      <h2 className={look.sectionTitle}>
        {title}
        {asset !== 'token' && <span className={look.quiet}>（{unit}）</span>}
        {asset === 'deposit' ? (
          <DepositsLink statement={statement} />
        ) : (
          <MovementsLink asset={asset} statement={statement} />
        )}
      </h2>
      <FigureTable label={`${title}明细`} heads={['项目', '笔数', '收入', '支出', '余额']} even>
        <tbody>
          <BalanceRow name="期初余额" text={shown(section.opening)} />
          {section.movements.map(line => (
            <tr key={line.kind}>
              <th scope="row">{line.name}</th>
              <td>{formatCount(line.count)}</td>
              <td>{line.income === 0 ? '—' : shown(line.income)}</td>
              <td>{line.spent === 0 ? '—' : shown(line.spent)}</td>
              <td />
            </tr>
          ))}
          {section.movements.length === 0 && (
            <tr>
              <td data-none colSpan={5}>
                本月没有变动
              </td>
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">合计</th>
            <td>{formatCount(count)}</td>
            <td>{shown(section.income)}</td>
            <td>{shown(section.spent)}</td>
            <td />
          </tr>
          <BalanceRow name="期末余额" text={shown(section.closing)} />
        </tfoot>
      </FigureTable>
      <p className={`${styles.statementSum} ${look.number}`}>
        {section.addsUp ? (
          <StatusTag tone="done">核对一致</StatusTag>
        ) : (
          <StatusTag tone="problem">核对不一致</StatusTag>
        )}
        <span>
          {shown(section.opening)} + {shown(section.income)} − {shown(section.spent)}
          {section.addsUp ? ' = ' : ' ≠ '}
          {shown(section.closing)}
          {!section.addsUp && '，请联系运营核对'}
        </span>
      </p>
    </section>
  )
}

function BalanceRow({ name, text }: { name: string; text: string }) {
  return (
    <tr data-strong>
      <th scope="row">{name}</th>
      <td colSpan={3} />
      <td>{text}</td>
    </tr>
  )
}
