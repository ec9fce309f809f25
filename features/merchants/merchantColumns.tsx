import type { Out } from '#kit/op.ts'
import { formatInstant } from '#kit/time.ts'
import type { ListColumn } from '#web/ListPage.tsx'
import { look } from '#web/look.ts'
import type { merchants } from './contract.ts'
import { AccountText, daysOverdue, ExpiryText, StatusText, VerificationText } from './MerchantTexts.tsx'
import styles from './merchants.module.css'
import { STORE_KINDS } from './rules.ts'

export type Row = Out<typeof merchants.list>['rows'][number]
export type Column = ListColumn<Row>

/** The columns of D1 §2 by name; each list takes those it shows. */
export const COLUMNS = {
  id: {
    key: 'id',
    title: 'ID',
    width: 132,
    fixed: 'start',
    copy: row => String(row.id),
    render: row => (
      <span className={styles.merchantId}>
        {row.id}
        <span className={styles.merchantKind}>{STORE_KINDS[row.storeKind]}</span>
      </span>
    ),
    card: 'fact',
  },
  shopName: {
    key: 'shopName',
    title: '店铺名称',
    width: 152,
    copy: row => row.shopName,
    opens: true,
    render: row => row.shopName,
    card: 'title',
  },
  personName: {
    key: 'personName',
    title: '商户姓名',
    width: 80,
    copy: row => row.personName,
    render: row => row.personName,
    card: 'hidden',
  },
  account: {
    key: 'account',
    title: '账号 / 使用天数',
    width: 184,
    copy: row => row.account,
    render: row => <AccountText merchant={row} />,
    card: 'fact',
  },
  versionName: {
    key: 'versionName',
    title: '版本',
    width: 104,
    copy: row => `${row.versionName} × ${row.shopsBought}`,
    render: row => (
      <>
        {row.versionName}
        <span className={styles.aside}>{row.shopsBought} 家</span>
      </>
    ),
    card: 'hidden',
  },
  industryName: {
    key: 'industryName',
    title: '行业',
    width: 80,
    copy: row => row.industryName,
    render: row => row.industryName,
    card: 'hidden',
  },
  registeredAt: {
    key: 'registeredAt',
    title: '注册时间',
    width: 152,
    sortable: true,
    copy: row => formatInstant(row.registeredAt),
    render: row => formatInstant(row.registeredAt),
    card: 'hidden',
  },
  expiresAt: {
    key: 'expiresAt',
    title: '到期时间',
    width: 152,
    sortable: true,
    copy: row => (row.expiresAt === null ? '永久' : formatInstant(row.expiresAt)),
    render: row => <ExpiryText expiresAt={row.expiresAt} />,
    card: 'fact',
  },
  overdue: {
    key: 'overdue',
    title: '过期天数',
    width: 88,
    align: 'right',
    copy: row => (row.expiresAt === null ? '' : String(daysOverdue(row.expiresAt))),
    render: row => (row.expiresAt === null ? '' : `${daysOverdue(row.expiresAt)} 天`),
    card: 'fact',
  },
  lastLoginAt: {
    key: 'lastLoginAt',
    title: '最近登录',
    width: 160,
    sortable: true,
    copy: row => (row.lastLoginAt === null ? '从未登录' : formatInstant(row.lastLoginAt)),
    render: row =>
      row.lastLoginAt === null ? (
        <span className={look.quiet}>从未登录</span>
      ) : (
        formatInstant(row.lastLoginAt)
      ),
    card: 'hidden',
  },
  referrer: {
    key: 'referrer',
    title: '推荐人',
    width: 88,
    copy: row => row.referrer,
    render: row => row.referrer,
    card: 'hidden',
  },
  managerName: {
    key: 'managerName',
    title: '客户经理/客服',
    width: 112,
    copy: row => row.managerName ?? '',
    render: row => row.managerName ?? '',
    card: 'hidden',
  },
  verificationStatus: {
    key: 'verificationStatus',
    title: '认证状态',
    width: 104,
    render: row => <VerificationText status={row.verificationStatus} refusal={row.verificationRefusal} />,
    card: 'hidden',
  },
  status: {
    key: 'status',
    title: '状态',
    width: 80,
    render: row => <StatusText status={row.status} />,
    card: 'fact',
  },
  agentName: {
    key: 'agentName',
    title: '代理商',
    width: 200,
    copy: row => `${row.agentName}（${row.agentId}）`,
    render: row => `${row.agentName}（${row.agentId}）`,
    card: 'hidden',
  },
} satisfies Record<string, Column>

/** Keys of the export by the column that shows them. */
const EXPORT_KEYS: Record<string, string> = { id: 'id,storeKind', versionName: 'versionName,shopsBought' }

/** The file of what is filtered, with the columns that are shown. */
export function exportAddress(
  path: string,
  { page: _page, size: _size, ...filters }: { page?: number; size?: number },
  columns: readonly { key: string }[],
): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(filters)) if (value !== undefined) query.set(key, String(value))
  query.set('columns', columns.map(({ key }) => EXPORT_KEYS[key] ?? key).join(','))
  return `${path}?${query}`
}
