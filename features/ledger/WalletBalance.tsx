import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatCents, formatCount } from '#kit/money.ts'
import { api } from '#web/api.ts'
import { Figure } from '#web/Figure.tsx'
import { look } from '#web/look.ts'
import { Permit } from '#web/Permit.tsx'
import { useMayOpen, usePermission } from '#web/session.ts'
import type { ledger } from './contract.ts'
import styles from './ledger.module.css'

const ledgerApi = api<typeof ledger>('ledger')

/** Every change of the agent's own SMS credit, unless a shop is asked for. */
const SMS_CHANGES_PATH = '/admin/detail/merchantMsgChanges'

export function useWallet(enabled = true) {
  return useQuery({ ...ledgerApi.wallet.query(), enabled })
}

/** The header's balance; leads to its movements where the account may see them. */
export function WalletBalance({ enabled }: { enabled: boolean }) {
  const wallet = useWallet(enabled)
  const maySeeChanges = usePermission('ledger.changes')
  if (!wallet.data) return <span className={`${styles.walletTop} ${look.notPhone}`} aria-hidden="true" />
  const text = (
    <>
      <span>余额</span> <b className={look.number}>{formatCents(wallet.data.tokenCents)}</b> 代币
    </>
  )
  if (!maySeeChanges) return <span className={`${styles.walletTop} ${look.notPhone}`}>{text}</span>
  return (
    <Link to="/admin/detail/personalDetails" className={`${styles.walletTop} ${look.notPhone}`}>
      {text}
    </Link>
  )
}

/** Both balances as large figures, for the start page. */
export function WalletFigures() {
  const wallet = useWallet()
  const maySeeSms = useMayOpen(SMS_CHANGES_PATH)
  return (
    <>
      <Figure label="余额（代币）" value={wallet.data ? formatCents(wallet.data.tokenCents) : '—'}>
        <Permit permission="ledger.changes">
          <dd>
            <Link to="/admin/detail/personalDetails">查看余额变动</Link>
          </dd>
        </Permit>
      </Figure>
      <Figure label="短信余额（条）" value={wallet.data ? formatCount(wallet.data.sms) : '—'}>
        {maySeeSms && (
          <dd>
            <Link to={SMS_CHANGES_PATH}>查看短信变动</Link>
          </dd>
        )}
      </Figure>
    </>
  )
}
