import { useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { formatDay, formatInstant } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import type { shopPages } from './contract.ts'
import { RENEWAL_STATES } from './rules.ts'
import styles from './shop.module.css'

const shopPagesApi = api<typeof shopPages>('shopPages')

type Account = NonNullable<Out<typeof shopPages.account>>
type Receipt = Account['receipts'][number]
type Props = { code: string; account: Account; onEnd: () => void }

/** Orders, services and receipts of the shop that has signed in. */
export default function ShopAccount({ code, account, onEnd }: Props) {
  const { contact, orders, services, receipts } = account
  const [opened, setOpened] = useState<string | null>(null)
  const signOut = async () => {
    await shopPagesApi.signOut({ code })
    onEnd()
  }
  return (
    <>
      <section className={styles.card} aria-label="联系资料">
        <h2>联系资料</h2>
        <dl className={styles.lines}>
          <div>
            <dt>联系人</dt>
            <dd>{contact.personName}</dd>
          </div>
          <div>
            <dt>登录手机</dt>
            <dd className={look.number}>{contact.phone}</dd>
          </div>
          {contact.shopPhone && (
            <div>
              <dt>门店电话</dt>
              <dd className={look.number}>{contact.shopPhone}</dd>
            </div>
          )}
        </dl>
        <p className={styles.hint}>登录有效至 {formatInstant(account.expiresAt)}</p>
        <Button onClick={() => void signOut()}>退出登录</Button>
      </section>
      <section className={styles.card} aria-label="增值服务">
        <h2>增值服务</h2>
        {services.length === 0 && <p className={styles.hint}>暂无增值服务</p>}
        <ul className={styles.rows}>
          {services.map(({ name, expiresAt, daysLeft }) => (
            <li key={name}>
              <span>{name}</span>
              <span className={look.number}>
                {expiresAt === null
                  ? '长期有效'
                  : `${formatDay(expiresAt)}${daysLeft === 0 ? ' 已到期' : ` 剩 ${formatCount(daysLeft ?? 0)} 天`}`}
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section className={styles.card} aria-label="版本订单">
        <h2>版本订单</h2>
        {orders.length === 0 && <p className={styles.hint}>暂无订单</p>}
        <ul className={styles.rows}>
          {orders.map(({ orderNo, content, duration, paidAt, undone }) => (
            <li key={orderNo}>
              <span>
                {content}
                <small>
                  {duration}
                  {undone && ' · 已撤销'}
                </small>
              </span>
              <span className={look.number}>{formatDay(paidAt)}</span>
            </li>
          ))}
        </ul>
      </section>
      <section className={styles.card} aria-label="续费收据">
        <h2>续费收据</h2>
        {receipts.length === 0 && <p className={styles.hint}>在线续费后可以在这里查看收据</p>}
        <ul className={styles.rows}>
          {receipts.map(receipt => (
            <li key={receipt.orderNo}>
              <span>
                {receipt.versionName} {receipt.years} 年
                <small>
                  {formatDay(receipt.paidAt)} · {RENEWAL_STATES[receipt.state]}
                </small>
              </span>
              <Button
                kind="link"
                aria-expanded={opened === receipt.orderNo}
                onClick={() => setOpened(opened === receipt.orderNo ? null : receipt.orderNo)}
              >
                收据 ¥{formatCents(receipt.amountFen)}
              </Button>
              {opened === receipt.orderNo && <ReceiptView receipt={receipt} />}
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}

function ReceiptView({ receipt }: { receipt: Receipt }) {
  const facts: readonly (readonly [string, string])[] = [
    ['收款方', receipt.payee],
    ['门店', receipt.shopName],
    ['内容', `续费 ${receipt.versionName} ${receipt.years} 年，${receipt.shops} 家店铺`],
    ['金额', `¥${formatCents(receipt.amountFen)}`],
    ['支付方式', receipt.payMethod],
    ['支付时间', formatInstant(receipt.paidAt)],
    ['订单号', receipt.orderNo],
    ['状态', RENEWAL_STATES[receipt.state]],
  ]
  return (
    <dl className={styles.receipt} aria-label="收据">
      {facts.map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
