// What every after-sales tool shows: a search, the shop that was found, what changes, why, and what was done lately.

import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useEffect, useId, useState } from 'react'
import type { merchants } from '#features/shops/merchants/contract.ts'
import { ExpiryText, StatusText } from '#features/shops/merchants/MerchantTexts.tsx'
import { STORE_KINDS } from '#features/shops/merchants/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { cleanSearch } from '#kit/words/cleaned.ts'
import { api, refusalOf } from '#web/client/api.ts'
import { readAgain } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Copyable, Instant } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { Fact } from '#web/facts/Facts.tsx'
import { FormElement, SENDS } from '#web/form/FormElement.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import type { aftersales } from './contract.ts'
import { TOOL_REFUSALS } from './rules.ts'
import styles from './tools.module.css'

const merchantsApi = api<typeof merchants>('merchants')

export type Shop = NonNullable<Out<typeof aftersales.extendFind>['shop']>

export function ToolPage({ title, intro, children }: { title: string; intro: string; children: ReactNode }) {
  return (
    <article className={`${look.page} ${styles.tool}`}>
      <h1 className={look.pageTitle}>{title}</h1>
      <p className={styles.toolIntro}>{intro}</p>
      {children}
    </article>
  )
}

/** What is looked for, kept in the address. */
export function useToolSearch(): [string, (search: string) => void] {
  const [params, setParams] = useListParams()
  return [params.search ?? '', search => setParams({ search })]
}

type SearchProps = {
  label: string
  placeholder: string
  value: string
  onSearch: (search: string) => void
  /** What is said when nothing was typed. */
  empty: string
  /** Asks for `value`. */
  query: Pick<UseQueryResult, 'isFetching' | 'refetch'>
}

// No fields: a search, which changes nothing.
/** Looks for what was typed; the same text again looks anew. */
export function ToolSearch({ label, placeholder, value, onSearch, empty, query }: SearchProps) {
  const id = useId()
  const [text, setText] = useState(value)
  const [message, setMessage] = useState<string | null>(null)
  useEffect(() => setText(value), [value])
  const submit = () => {
    const wanted = cleanSearch(text)
    setMessage(wanted === '' ? empty : null)
    if (wanted === '') return document.getElementById(id)?.focus()
    if (wanted === value) void query.refetch()
    else onSearch(wanted)
  }
  return (
    <search>
      <FormElement className={styles.toolSearch} onSubmit={submit}>
        <label htmlFor={id}>{label}</label>
        <div>
          <input
            {...SENDS}
            id={id}
            className={look.input}
            type="text"
            inputMode="search"
            enterKeyHint="search"
            autoComplete="off"
            maxLength={50}
            placeholder={placeholder}
            aria-invalid={message !== null}
            aria-describedby={`${id}-note`}
            value={text}
            onChange={event => {
              setText(event.target.value)
              setMessage(null)
            }}
          />
          <Button type="submit" busy={query.isFetching}>
            查找
          </Button>
        </div>
        <p id={`${id}-note`} role="alert" className={styles.toolMessage}>
          {message}
        </p>
      </FormElement>
    </search>
  )
}

/** The answer of a search: waiting, failed, nothing found (请输入正确的ID/账号), or what is shown for it. */
export function Found<Answer>({
  query,
  children,
}: {
  query: UseQueryResult<Answer>
  children: (answer: Answer) => ReactNode
}) {
  if (query.isError) {
    const refusal = refusalOf(query.error)
    if (refusal && refusal.code !== 'BUSY')
      return (
        <p className={styles.toolMessage} role="alert">
          {refusal.message}
        </p>
      )
    return <LoadFailure error={query.error} onRetry={() => void query.refetch()} />
  }
  if (query.data !== undefined) return children(query.data)
  return query.isFetching ? <LoadingLines lines={4} /> : null
}

/** No shop has this id or account: those whose names hold what was typed are offered. */
export function NotFound({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  const named = useQuery({ ...merchantsApi.find.query({ search }), enabled: usePermission('merchants.list') })
  if (named.isFetching) return <LoadingLines lines={2} />
  if (!named.data?.rows.length)
    return (
      <p className={styles.toolMessage} role="alert">
        {TOOL_REFUSALS.SHOP_UNKNOWN}
      </p>
    )
  return (
    <ul className={styles.toolNamed} aria-label="同名商户">
      {named.data.rows.map(({ id, shopName, account }) => (
        <li key={id}>
          <Button onClick={() => onSearch(String(id))}>
            {shopName}
            <span className={look.quiet}>
              ID {id} · 账号 {account}
            </span>
          </Button>
        </li>
      ))}
    </ul>
  )
}

type ShopSearchProps<Answer> = Pick<SearchProps, 'value' | 'onSearch'> &
  Partial<Pick<SearchProps, 'label' | 'placeholder' | 'empty'>> & {
    query: UseQueryResult<Answer>
    /** What can be done with the shop; begun anew when the shop has changed. */
    children: (shop: Shop, answer: Answer) => ReactNode
  }

/** Looks for one shop, and shows who it is. */
export function ShopSearch<Answer extends { shop: Shop | null }>({
  label = '商户',
  placeholder = '商户ID / 账号 / 店铺名称',
  empty = TOOL_REFUSALS.SHOP_ID_REQUIRED,
  children,
  ...search
}: ShopSearchProps<Answer>) {
  return (
    <>
      <ToolSearch {...search} label={label} placeholder={placeholder} empty={empty} />
      <Found query={search.query}>
        {answer =>
          answer.shop ? (
            <>
              <ShopFacts shop={answer.shop} title={label} />
              <Fragment key={`${answer.shop.id} ${answer.shop.revision}`}>
                {children(answer.shop, answer)}
              </Fragment>
            </>
          ) : (
            <NotFound search={search.value} onSearch={search.onSearch} />
          )
        }
      </Found>
    </>
  )
}

/** Who the shop is, so that nobody changes another one. */
export function ShopFacts({ shop, title }: { shop: Shop; title: string }) {
  return (
    <section className={styles.toolCard} aria-label={title}>
      <header>
        <h2>{shop.shopName}</h2>
        <StatusText status={shop.status} />
        <Permit permission="merchants.details">
          <Link to="/admin/merchant/merchantDetails" search={{ user_id: shop.id }} className={look.inText}>
            查看商户
          </Link>
        </Permit>
      </header>
      <dl className={styles.toolFacts}>
        <Fact label="商户ID">
          <Copyable text={String(shop.id)} />
        </Fact>
        <Fact label="账号">
          <Copyable text={shop.account} />
        </Fact>
        <Fact label="商户姓名">{shop.personName}</Fact>
        <Fact label="门店类型">
          {STORE_KINDS[shop.storeKind]}
          {shop.branches > 0 && <span className={look.quiet}>（{shop.branches} 家分店）</span>}
        </Fact>
        <Fact label="软件版本">
          {shop.versionName} <span className={look.quiet}>{shop.shopsBought} 家</span>
        </Fact>
        <Fact label="到期时间">
          <ExpiryText expiresAt={shop.expiresAt} />
        </Fact>
        <Fact label="注册时间">
          <Instant at={shop.registeredAt} />
        </Fact>
        <Fact label="服务商">
          {shop.agentName}（{shop.agentId}）
        </Fact>
      </dl>
    </section>
  )
}

export type Changed = { name: string; before: ReactNode; after: ReactNode }

type ChangeProps = {
  title: string
  rows: readonly Changed[]
  heads?: readonly [before: string, after: string]
}

/** Before and after, side by side. */
export function ChangeTable({ title, rows, heads = ['调整前', '调整后'] }: ChangeProps) {
  return (
    <table className={styles.toolChanges}>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">项目</th>
          <th scope="col">{heads[0]}</th>
          <th scope="col">{heads[1]}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={row.name}>
            <th scope="row">{row.name}</th>
            <td>{row.before}</td>
            <td>{row.after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** What stays as it is, or follows from the change. */
export function Notes({ notes }: { notes: readonly string[] }) {
  return (
    <ul className={styles.toolNotes}>
      {notes.map(note => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )
}

/** After a refusal: what is shown may be older than what refused it. The form tells of it itself. */
export function readShopsAgain(): false {
  readAgain('aftersales', 'merchants', 'orders')
  return false
}
