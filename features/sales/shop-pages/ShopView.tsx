import type { ReactNode } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { formatCount } from '#kit/money.ts'
import { formatDay } from '#kit/time.ts'
import { look } from '#web/controls/look.ts'
import { LogoPicture } from '#web/shell/AgentBrand.tsx'
import type { shopPages } from './contract.ts'
import { BLOCK_TYPES } from './rules.ts'
import styles from './shop-view.module.css'

type Page = Out<typeof shopPages.page>
export type Shown = Pick<Page, 'shop' | 'agent' | 'blocks' | 'notices'>
type Block = Page['blocks'][number]

type Props = {
  page: Shown
  /** Below what the shop has: renewing, signing in. */
  children?: ReactNode
}

/** A shop's page as shops see it; also drawn small beside the editor. */
export function ShopView({ page: { shop, agent, blocks, notices }, children }: Props) {
  return (
    <div className={styles.view}>
      <div className={styles.inner}>
        {agent && (
          <header className={styles.head}>
            {agent.logo && <LogoPicture address={agent.logo} />}
            <p>{agent.name}</p>
          </header>
        )}
        <div className={styles.columns}>
          <div className={styles.column}>
            {shop && <ShopCard shop={shop} />}
            {children}
          </div>
          <div className={styles.column}>
            {notices.length > 0 && (
              <section className={styles.card} aria-label="公告">
                <h2>公告</h2>
                {notices.map(({ title, body }, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: they have no other name, and are drawn whole.
                  <article key={at} className={styles.notice}>
                    <h3>{title}</h3>
                    {body && <p>{body}</p>}
                  </article>
                ))}
              </section>
            )}
            {blocks.length > 0 && (
              <section className={styles.blocks} aria-label="服务与支持">
                {blocks.map(block => (
                  <BlockView key={block.type} block={block} />
                ))}
              </section>
            )}
          </div>
        </div>
      </div>
    </div>
  )
}

/** So many days before its end a term is said to end soon. */
const SOON_DAYS = 30

function ShopCard({ shop }: { shop: NonNullable<Page['shop']> }) {
  const { name, versionName, expiresAt, daysLeft, smsBalance } = shop
  const tone = daysLeft === null || daysLeft > SOON_DAYS ? undefined : daysLeft === 0 ? 'over' : 'soon'
  return (
    <section className={styles.card} aria-label="门店信息">
      <h1>{name}</h1>
      <dl className={styles.facts}>
        <div>
          <dt>软件版本</dt>
          <dd>{versionName}</dd>
        </div>
        <div>
          <dt>有效期至</dt>
          <dd className={look.number}>{expiresAt === null ? '永久有效' : formatDay(expiresAt)}</dd>
        </div>
        {daysLeft !== null && (
          <div data-tone={tone}>
            <dt>剩余</dt>
            <dd className={look.number}>{daysLeft === 0 ? '已到期' : `${formatCount(daysLeft)} 天`}</dd>
          </div>
        )}
        <div>
          <dt>短信余额</dt>
          <dd className={look.number}>{formatCount(smsBalance)} 条</dd>
        </div>
      </dl>
    </section>
  )
}

function BlockView({ block }: { block: Block }) {
  const { type, text, picture, link } = block
  const label = BLOCK_TYPES[type]
  if (type === 'picture')
    return (
      <Led link={link} className={styles.picture}>
        {picture && <img src={picture} alt={text || label} width={260} height={150} />}
        {text && <span>{text}</span>}
      </Led>
    )
  if (type === 'contact')
    return (
      <Led link={link} className={styles.contact}>
        {picture && <img src={picture} alt={text || label} width={100} height={100} />}
        <span>{text || '扫码联系我们'}</span>
      </Led>
    )
  const isLink = type === 'linkOne' || type === 'linkTwo'
  const to = type === 'hotline' && link === null ? `tel:${text.replace(/[^\d+]/g, '')}` : link
  return (
    <Led link={to} className={styles.line}>
      {picture ? (
        <img src={picture} alt="" width={44} height={44} />
      ) : (
        <i aria-hidden="true" data-sign={SIGNS[type]} />
      )}
      <span>
        {!isLink && <small>{label}</small>}
        {text}
      </span>
      {to !== null && <b aria-hidden="true" />}
    </Led>
  )
}

const SIGNS: Record<Exclude<Block['type'], 'picture' | 'contact'>, string> = {
  manager: '顾',
  hotline: '热',
  linkOne: '链',
  linkTwo: '链',
}

type Led = { link: string | null; className: string | undefined; children: ReactNode }

/** Leads somewhere, or nowhere. What an agent wrote opens beside the page and learns nothing of it. */
function Led({ link, className, children }: Led) {
  if (link === null) return <div className={className}>{children}</div>
  const outside = link.startsWith('http') ? { target: '_blank', rel: 'noopener noreferrer nofollow' } : {}
  return (
    <a className={className} href={link} {...outside}>
      {children}
    </a>
  )
}
