import { useState } from 'react'
import { ShopSelect } from '#features/sales/aftersales/ShopSelect.tsx'
import { formatCount } from '#kit/money.ts'
import { BATCH_LIMITS, type BatchRow } from '#kit/print/batch/batch-rows.ts'
import type { BatchField } from '#kit/print/batch/fields.ts'
import { columnsWithout } from '#kit/print/batch/goods.ts'
import { refusalOf } from '#web/client/api.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { Labelled } from '#web/form/Labelled.tsx'
import { EmptyState, LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { Select } from '#web/form/Select.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import { ListSearch } from '#web/list/ListSearch.tsx'
import { SelectionBar } from '#web/list/ListSelection.tsx'
import { PageSteps } from '#web/list/PageSteps.tsx'
import { GoodsTable } from './GoodsTable.tsx'
import styles from './goods.module.css'
import { GOODS_PAGE } from './rules.ts'
import { type Copies, type Good, type Goods, useCopies, useGoods } from './useGoods.tsx'

type Content = Pick<BatchRow, 'data' | 'copies'>
type Props = {
  fields: readonly BatchField[]
  /** Rows that are there already. */
  has: number
  onRows: (rows: Content[], below: boolean) => void
  onClose: () => void
}

/** Goods that a shop keeps at the point of sale are chosen, and become rows. */
export default function GoodsDialog({ fields, has, onRows, onClose }: Props) {
  const goods = useGoods()
  const copies = useCopies()
  const [now] = useState(() => new Date())
  // As they were when one began to look at them: what is taken out stays in sight until one goes back.
  const [looked, setLooked] = useState<readonly Good[] | null>(null)
  const chosen = goods.selection.rows
  if (looked && chosen.length === 0) setLooked(null)
  const contents = copies.contents(chosen, fields, now)
  const why = whyNot({ chosen, copies, has })
  const empty = chosen.length > 0 ? columnsWithout(fields, contents) : []
  return (
    <Dialog
      title="从店铺商品选择"
      width={960}
      dirty={chosen.length > 0}
      onClose={onClose}
      footer={
        <>
          <CloseButton>取消</CloseButton>
          <Button
            kind="primary"
            changes={false}
            disabled={why}
            onClick={() => {
              onRows(contents, true)
              onClose()
            }}
          >
            {chosen.length > 0 ? `加入 ${formatCount(chosen.length)} 行` : '加入'}
          </Button>
        </>
      }
    >
      <div className={styles.dialog}>
        <ShopPart
          shop={goods.shop}
          onShop={shop => {
            setLooked(null)
            goods.setShop(shop)
          }}
        />
        {looked ? (
          <GoodsTable goods={looked} selection={goods.selection} copies={copies} busy={false} />
        ) : goods.shop === null ? (
          <p className={look.quiet}>选择店铺后，列出它在收银系统里的商品。</p>
        ) : (
          <FoundPart goods={goods} copies={copies} />
        )}
        <SelectionBar
          selection={goods.selection}
          bulk={() => (
            <div className={styles.picked}>
              <label>
                每种
                <input
                  type="text"
                  className={look.input}
                  inputMode="numeric"
                  autoComplete="off"
                  maxLength={6}
                  aria-label="每种份数"
                  value={copies.all}
                  onChange={({ target }) => copies.setAll(target.value)}
                />
                份
              </label>
              <Button onClick={() => setLooked(looked ? null : chosen)}>
                {looked ? '返回商品列表' : '查看已选'}
              </Button>
            </div>
          )}
        />
        {chosen.length > 0 && (
          <div aria-live="polite">
            {why && <p className={styles.problem}>{why}</p>}
            {empty.length > 0 && (
              <p className={look.quiet}>
                所选商品没有：{empty.map(({ label }) => label).join('、')}。加入后可以补填。
              </p>
            )}
          </div>
        )}
      </div>
    </Dialog>
  )
}

/** Why they cannot be taken over. */
function whyNot({ chosen, copies, has }: { chosen: readonly Good[]; copies: Copies; has: number }) {
  if (chosen.length === 0) return '请先勾选商品'
  const [most, room] = [BATCH_LIMITS.rows, BATCH_LIMITS.rows - has]
  if (chosen.length > room)
    return `一批最多 ${formatCount(most)} 行，表格里已有 ${formatCount(has)} 行，还能加入 ${formatCount(room)} 行`
  const wrong = chosen.filter(copies.isWrong).length
  return wrong > 0 ? `${wrong} 种商品的份数不是 1 到 ${BATCH_LIMITS.copies} 的整数` : null
}

type ShopProps = { shop: number | null; onShop: (shop: number | null) => void }

/** Found by name where one may look for shops, otherwise by its number. */
function ShopPart({ shop, onShop }: ShopProps) {
  const findsShops = usePermission('merchants.list')
  const [typed, setTyped] = useState(shop === null ? '' : String(shop))
  const take = () => typed !== '' && onShop(Number(typed))
  if (findsShops)
    return (
      <div className={styles.shop}>
        <ShopSelect label="店铺" value={shop} onChange={onShop} />
      </div>
    )
  return (
    <div className={styles.shop}>
      <Labelled label="商户ID">
        <TextInput
          digits
          maxLength={8}
          value={typed}
          onChange={setTyped}
          onKeyDown={({ key }) => key === 'Enter' && take()}
        />
      </Labelled>
      <Button disabled={typed === '' && '请输入商户ID'} onClick={take}>
        查看商品
      </Button>
    </div>
  )
}

/** What is looked for, and what is found, or why nothing is. */
function FoundPart({ goods, copies }: { goods: Goods; copies: Copies }) {
  const { found, page, search, category, number, rows, selection } = goods
  const isLookedFor = search !== '' || category !== ''
  return (
    <>
      <div className={styles.filters}>
        <ListSearch
          keyless
          placeholder="名称 / 货号 / 条码"
          value={search}
          onChange={text => goods.look({ search: text })}
        />
        {(category !== '' || (page && page.categories.length > 0)) && (
          <div className={styles.category}>
            <Select
              aria-label="分类"
              placeholder="全部分类"
              allowClear
              value={category || undefined}
              options={(page?.categories ?? [category]).map(name => ({ value: name, label: name }))}
              onChange={chosen => goods.look({ category: chosen ?? '' })}
            />
          </div>
        )}
      </div>
      {found.isError && !found.isFetching ? (
        refusalOf(found.error)?.code === 'NOT_FOUND' ? (
          <EmptyState title="没有这个商户ID" role="alert" />
        ) : (
          <LoadFailure error={found.error} onRetry={goods.again} />
        )
      ) : !page ? (
        <LoadingLines lines={8} />
      ) : rows.length === 0 ? (
        <EmptyState title={isLookedFor ? '没有匹配的商品' : '暂无商品'}>
          <p>{isLookedFor ? '换一个名称、货号、条码或分类试试。' : '这家店铺在收银系统里还没有商品。'}</p>
        </EmptyState>
      ) : (
        <>
          <GoodsTable goods={rows} selection={selection} copies={copies} busy={found.isPlaceholderData} />
          <div className={styles.pages}>
            <span className={look.quiet} role="status">
              共 {formatCount(page.total)} 种商品
            </span>
            <PageSteps
              page={number}
              // A page that has a next one is not the last, whatever was counted.
              total={page.next === null ? number * GOODS_PAGE : Math.max(page.total, number * GOODS_PAGE + 1)}
              size={GOODS_PAGE}
              onPage={goods.turnTo}
              label="商品分页"
              className={styles.steps}
            />
          </div>
        </>
      )}
    </>
  )
}
