import type { Out } from '#kit/declare/op.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Fact } from '#web/facts/Facts.tsx'
import type { settlement } from './contract.ts'
import { BILL_FIELDS } from './fields.ts'
import styles from './settlement.module.css'

export type Preview = Out<typeof settlement.undoPreview>['previews'][number]

/** What an undo gives back and takes away, order by order; what cannot be undone says why. */
export function UndoPreviews({ previews, done }: { previews: readonly Preview[]; done?: boolean }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
    <section className={styles.undoPreviews} tabIndex={0} aria-label={done ? '撤销结果' : '撤销内容'}>
      {previews.map(preview => (
        <OnePreview key={preview.orderNo} preview={preview} done={done} />
      ))}
    </section>
  )
}

function OnePreview({ preview, done }: { preview: Preview; done?: boolean }) {
  const { refusal } = preview
  return (
    <article className={styles.undoPreview}>
      <header>
        <b>{preview.shopName || preview.content}</b>
        {refusal ? (
          <StatusTag tone="problem">{done ? '未撤销' : '不能撤销'}</StatusTag>
        ) : (
          done && <StatusTag tone="done">已撤销</StatusTag>
        )}
      </header>
      {refusal && <p className={styles.undoRefusal}>{refusal.message}</p>}
      <dl className={styles.undoFacts}>
        <Fact label={BILL_FIELDS.orderNo.label}>{preview.orderNo}</Fact>
        {preview.merchantId !== null && (
          <Fact label={BILL_FIELDS.merchantId.label}>{preview.merchantId}</Fact>
        )}
        <Fact label={BILL_FIELDS.content.label}>{preview.content}</Fact>
        {preview.paidAt !== null && (
          <Fact label={BILL_FIELDS.paidAt.label}>{formatInstant(preview.paidAt)}</Fact>
        )}
        {!refusal && <Returned preview={preview} />}
      </dl>
      {!refusal && <Shops shops={preview.shops} />}
      {preview.notes.length > 0 && (
        <ul className={styles.undoNotes}>
          {preview.notes.map(note => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </article>
  )
}

function Returned({ preview }: { preview: Preview }) {
  const { tokensBackCents, smsBack, smsSpent } = preview
  return (
    <>
      <Fact label="退回代币">
        <b>{formatCents(tokensBackCents)}</b>
      </Fact>
      {smsBack > 0 && (
        <Fact label="退回短信">
          <b>{formatCount(smsBack)} 条</b>
        </Fact>
      )}
      {smsSpent > 0 && <Fact label="已用短信">{formatCount(smsSpent)} 条，不退回</Fact>}
    </>
  )
}

/** The term and version of each shop, now and then. */
function Shops({ shops }: { shops: Preview['shops'] }) {
  if (shops.length === 0) return null
  if (!shops.some(changes)) return <p className={styles.undoShops}>商户的版本和到期时间不变</p>
  return (
    <ul className={styles.undoShops}>
      {shops.filter(changes).map(shop => (
        <li key={shop.merchantId}>
          {shops.length > 1 && (
            <p>
              {shop.shopName} <span className={look.quiet}>ID {shop.merchantId}</span>
            </p>
          )}
          {shop.versionNow !== shop.versionThen && (
            <p>
              {shop.versionNow} <Arrow /> {shop.versionThen}
            </p>
          )}
          {shop.expiresNow !== shop.expiresThen && (
            <p className={look.number}>
              到期 {termOf(shop.expiresNow)} <Arrow /> {termOf(shop.expiresThen)}
              {shop.daysRemoved !== null && shop.daysRemoved > 0 && (
                <b className={styles.undoDays}>减少 {formatCount(shop.daysRemoved)} 天</b>
              )}
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}

function changes(shop: Preview['shops'][number]): boolean {
  return shop.versionNow !== shop.versionThen || shop.expiresNow !== shop.expiresThen
}

function Arrow() {
  return (
    <>
      <span aria-hidden="true">→</span>
      <span className={look.visuallyHidden}>撤销后</span>
    </>
  )
}

function termOf(at: string | null): string {
  return at === null ? '永久' : formatInstant(at).slice(0, 10)
}
