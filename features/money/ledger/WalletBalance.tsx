import { useQuery } from '@tanstack/react-query'
import type { Path } from '#kit/declare/pages.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { useMayOpen, usePermission } from '#web/client/session.ts'
import { buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { Figure } from '#web/facts/Figure.tsx'
import type { ledger } from './contract.ts'
import styles from './ledger.module.css'

const ledgerApi = api<typeof ledger>('ledger')

/** Every change of the agent's own SMS credit, unless a shop is asked for. */
const SMS_CHANGES_PATH = '/admin/detail/merchantMsgChanges'

export function useWallet(enabled = true) {
  return useQuery({ ...ledgerApi.wallet.query(), enabled })
}

/** The header's balance; leads to its movements where the account may see them, and to where it is topped up. */
export function WalletBalance({ enabled, topUpPath }: { enabled: boolean; topUpPath: Path }) {
  const wallet = useWallet(enabled)
  const maySeeChanges = usePermission('ledger.changes')
  const mayTopUp = useMayOpen(topUpPath)
  if (!wallet.data) return <span className={`${styles.walletTop} ${look.notPhone}`} aria-hidden="true" />
  const text = (
    <>
      <span>余额</span> <b className={look.number}>{formatCents(wallet.data.tokenCents)}</b> 代币
    </>
  )
  return (
    <span className={`${styles.wallet} ${look.notPhone}`}>
      {maySeeChanges ? (
        <Link to="/admin/detail/personalDetails" className={styles.walletTop}>
          {text}
        </Link>
      ) : (
        <span className={styles.walletTop}>{text}</span>
      )}
      {mayTopUp && (
        <Link to={topUpPath} hash="tokens" className={`${buttonLook()} ${styles.walletTopUp}`}>
          充值
        </Link>
      )}
    </span>
  )
}

/** Both balances where one's own account stands on a phone, with the way to more. */
export function OwnWallet({ topUpPath }: { topUpPath: Path }) {
  const wallet = useWallet()
  const mayTopUp = useMayOpen(topUpPath)
  return (
    <div className={styles.walletOwn}>
      <dl>
        <div>
          <dt>余额（代币）</dt>
          <dd className={look.number}>{wallet.data ? formatCents(wallet.data.tokenCents) : '—'}</dd>
        </div>
        <div>
          <dt>短信余额（条）</dt>
          <dd className={look.number}>{wallet.data ? formatCount(wallet.data.sms) : '—'}</dd>
        </div>
      </dl>
      {mayTopUp && (
        <Link to={topUpPath} className={buttonLook('primary')}>
          充值
        </Link>
      )}
    </div>
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
