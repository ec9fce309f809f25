import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { forgetPassword, passwordOf } from '#features/sales/selling/handed.tsx'
import { NoShop, useShopId } from '#features/shops/merchants/ShopAddress.tsx'
import type { Out } from '#kit/declare/op.ts'
import { formatCount } from '#kit/money.ts'
import { formatDay } from '#kit/time.ts'
import { QrCode } from '#web/chart/QrCode.tsx'
import { api, messageOf, newKey } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { copyText } from '#web/controls/copy.ts'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { toast } from '#web/controls/toast.ts'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { shopAccess } from './contract.ts'
import styles from './HandOver.module.css'

const shopAccessApi = api<typeof shopAccess>('shopAccess')

/** While its SMS is on its way. */
const LOOK_AGAIN_MS = 2_000

type Handed = Out<typeof shopAccess.handOver>

/** What the owner of a shop is given: where to log in, as whom, and until when. The password is here right after the sale alone. */
export default function HandOverPage() {
  const id = useShopId()
  return id === null ? <NoShop title="开店资料" /> : <HandOver key={id} id={id} />
}

function HandOver({ id }: { id: number }) {
  const [password, setPassword] = useState(() => passwordOf(id))
  // The page is kept when it is left; the password is not.
  useEffect(
    () => () => {
      forgetPassword()
      setPassword(null)
    },
    [],
  )
  const handed = useQuery({
    ...shopAccessApi.handOver.query({ id }),
    refetchInterval: ({ state }) => (state.data?.sms.sending?.state === 'waiting' ? LOOK_AGAIN_MS : false),
  })
  if (handed.isError) return <LoadFailure error={handed.error} onRetry={() => void handed.refetch()} />
  if (!handed.data) return <LoadingLines />
  const shop = handed.data
  const lines = linesOf(shop, password)
  return (
    <div className={`${look.page} ${styles.handOver}`}>
      <header className={styles.head}>
        <h1 className={look.pageTitle}>开店资料</h1>
        <div className={styles.acts}>
          <Button kind="primary" changes={false} onClick={() => void copyText(textOf(shop, lines))}>
            复制全部
          </Button>
          <Button onClick={() => window.print()}>打印</Button>
        </div>
      </header>
      <section className={styles.sheet} aria-label="开店资料">
        <h2>
          {shop.shopName}
          <span className={look.quiet}>ID {shop.id}</span>
        </h2>
        <dl>
          {lines.map(([label, text]) => (
            <Line key={label} label={label} text={text} />
          ))}
          {password === null && (
            <div>
              <dt>密码</dt>
              <dd className={look.quiet}>不保存，只在开店后显示一次；忘记时请在商户详情重置密码</dd>
            </div>
          )}
        </dl>
        {shop.loginUrl && (
          <figure className={styles.code}>
            <QrCode text={shop.loginUrl} label="商户登录二维码" />
            <figcaption>扫码打开登录页</figcaption>
          </figure>
        )}
      </section>
      <SendBySms shop={shop} />
      <nav className={styles.next} aria-label="下一步">
        <Link className={buttonLook()} to="/admin/merchant/merchantDetails" search={{ user_id: id }}>
          商户详情
        </Link>
        <Permit permission="selling.add">
          <Link className={buttonLook()} to="/admin/merchant/addUser">
            再开一家
          </Link>
        </Permit>
      </nav>
    </div>
  )
}

type Fact = readonly [label: string, text: string]

function linesOf(shop: Handed, password: string | null): Fact[] {
  return [
    ['登录地址', shop.loginUrl ?? '厂商尚未在服务器上设置 SHOP_LOGIN_URL'],
    ['账号', shop.account],
    ...(password === null ? [] : [['初始密码', password] as const]),
    ['版本', `${shop.versionName}，${formatCount(shop.shopsBought)} 家店`],
    ['有效期至', shop.expiresAt === null ? '永久' : formatDay(shop.expiresAt)],
  ]
}

function textOf(shop: Handed, lines: readonly Fact[]): string {
  return [`【${shop.shopName}】开店资料`, ...lines.map(([label, text]) => `${label}：${text}`)].join('\n')
}

function Line({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <span>{text}</span>
        <Button kind="link" aria-label={`复制${label}`} onClick={() => void copyText(text)}>
          复制
        </Button>
      </dd>
    </div>
  )
}

/** The message as it will arrive, what it costs, and its sending. */
function SendBySms({ shop }: { shop: Handed }) {
  const [key] = useState(newKey)
  const send = useMutation({
    mutationFn: () => shopAccessApi.sendHandOver({ id: shop.id }, { idempotencyKey: key }),
    onSuccess: () => {
      toast.success('已加入短信发件箱')
      return reread()
    },
    onError: error => toast.error(messageOf(error)),
  })
  const { text, pieces, balance, refusal, sending } = shop.sms
  const missing = pieces > balance ? `短信余额不足，还差 ${formatCount(pieces - balance)} 条` : null
  const queued = send.isSuccess ? '已提交' : null
  return (
    <section className={styles.sms} aria-label="短信">
      <h2 className={look.sectionTitle}>发短信给商户</h2>
      <blockquote>{text}</blockquote>
      <p className={look.quiet}>
        短信中不含密码，请另行告知。
        {pieces > 0
          ? `发送计费 ${formatCount(pieces)} 条，当前短信余额 ${formatCount(balance)} 条。`
          : '由平台发送，不计费。'}
      </p>
      <Button
        changes
        busy={send.isPending}
        disabled={refusal?.message ?? missing ?? queued}
        onClick={() => send.mutate()}
      >
        {queued ?? `发送至 ${shop.account}`}
      </Button>
      {(refusal || missing) && <p role="status">{refusal?.message ?? missing}</p>}
      {!refusal && sending && <p role="status">{sending.words}</p>}
    </section>
  )
}
