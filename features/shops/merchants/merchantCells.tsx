// How a shop's cells are drawn where a cell is more than its field.
import { AGENT_CELL } from '#features/office/agents/agentCell.tsx'
import type { Out } from '#kit/declare/op.ts'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import type { merchants } from './contract.ts'
import { InPlace } from './MerchantInPlace.tsx'
import { AccountText, daysOverdue, ExpiryText, VerificationText } from './MerchantTexts.tsx'
import styles from './merchants.module.css'

export type Row = Out<typeof merchants.list>['rows'][number]

/** To be read alone. */
export const PLAIN_CELLS = {
  account: (row: Row) => <AccountText merchant={row} />,
  versionName: {
    copy: (row: Row) => `${row.versionName} × ${row.shopsBought}`,
    render: (row: Row) => (
      <>
        {row.versionName}
        <span className={styles.aside}>{row.shopsBought} 家</span>
      </>
    ),
  },
  expiresAt: (row: Row) => <ExpiryText expiresAt={row.expiresAt} />,
  verificationStatus: (row: Row) => (
    <VerificationText status={row.verificationStatus} refusal={row.verificationRefusal} />
  ),
  managerName: {
    copy: (row: Row) => row.managerName ?? '',
    render: ({ managerName }: Row) => managerName ?? <span className={look.quiet}>未分配</span>,
  },
  managerLabel: ({ managerLabel }: Row) =>
    managerLabel === null ? null : <StatusTag tone="neutral">{managerLabel}</StatusTag>,
  agentName: AGENT_CELL,
}

/** With what is edited in its place. */
export const SHOP_CELLS = {
  ...PLAIN_CELLS,
  remark: (row: Row) => <InPlace row={row} field="remark" />,
  signature: (row: Row) => <InPlace row={row} field="signature" />,
}

export const OVERDUE_DAYS = {
  copy: ({ expiresAt }: Row) => (expiresAt === null ? '' : String(daysOverdue(expiresAt))),
  render: ({ expiresAt }: Row) => (expiresAt === null ? '' : `${daysOverdue(expiresAt)} 天`),
}
