import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import {
  Notes,
  type Shop,
  ShopSearch,
  ToolPage,
  useToolSearch,
} from '#features/sales/aftersales/ToolPage.tsx'
import { formatCount } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import styles from './clearing.module.css'
import { clearingApi, LOOK_AGAIN_MS } from './clearingApi.tsx'
import { CLEARING_FIELDS } from './fields.ts'
import { CLEARING_REFUSALS, isAtWork, isRunning, LIMITS, refuseTable, runningText } from './rules.ts'

const ClearDialog = lazy(() => import('./ClearDialog.tsx'))
const ClearingDrawer = lazy(() => import('./ClearingDrawer.tsx'))

/** Clear table (D3 §2, §7): one table of a shop's data at the point of sale, which is backed up there first. */
export default function ClearTablePage() {
  const [search, setSearch] = useToolSearch()
  const [opened, setOpened] = useState<number | null>(null)
  const found = useQuery({
    ...clearingApi.find.query({ search }),
    enabled: search !== '',
    refetchInterval: ({ state: { data } }) =>
      data?.clearings.some(({ state }) => isAtWork(state)) ? LOOK_AGAIN_MS : false,
  })
  return (
    <ToolPage
      title="清空数据"
      intro={`清空店铺在收银系统中的一张数据表。清空前自动备份，${LIMITS.keptDays} 天内可以恢复。`}
    >
      <ShopSearch value={search} onSearch={setSearch} query={found}>
        {(shop, { clearings }) => (
          <>
            <Tables shop={shop} clearings={clearings} onOpen={setOpened} />
            <Latest clearings={clearings} shop={shop} onOpen={setOpened} />
          </>
        )}
      </ShopSearch>
      <Suspense>
        {opened !== null && <ClearingDrawer key={opened} id={opened} onClose={() => setOpened(null)} />}
      </Suspense>
    </ToolPage>
  )
}

type Found = Awaited<ReturnType<typeof clearingApi.find>>
type Clearings = Found['clearings']
type Props = { shop: Shop; clearings: Clearings; onOpen: (id: number) => void }

function Tables({ shop, clearings, onOpen }: Props) {
  const [chosenKey, setChosen] = useState<string | null>(null)
  const mayClear = usePermission('tableClearing.clear')
  // Counted anew whenever one of them has come to an end.
  const ended = clearings.filter(({ state }) => !isRunning(state)).map(({ id, state }) => `${id} ${state}`)
  const tables = useQuery({
    ...clearingApi.tables.query({ merchantId: shop.id }),
    queryKey: ['tableClearing', 'tables', shop.id, ended.join()],
    staleTime: 0,
    placeholderData: before => before,
  })
  // As it is counted now, also while its dialog is open.
  const chosen = tables.data?.tables.find(({ key }) => key === chosenKey)
  return (
    <section className={styles.section} aria-labelledby="clearing-tables">
      <header className={styles.head}>
        <h2 id="clearing-tables" className={look.sectionTitle}>
          收银系统中的数据
        </h2>
        <Button kind="quiet" changes={false} busy={tables.isFetching} onClick={() => void tables.refetch()}>
          重新统计
        </Button>
      </header>
      {tables.isError ? (
        <LoadFailure error={tables.error} onRetry={() => void tables.refetch()} />
      ) : !tables.data ? (
        <LoadingLines lines={3} />
      ) : tables.data.tables.length === 0 ? (
        <p className={look.quiet}>该店铺没有可以清空的数据表</p>
      ) : (
        <ul className={styles.tables}>
          {tables.data.tables.map(table => {
            const running = clearings.find(
              ({ tableKey, state }) => tableKey === table.key && isRunning(state),
            )
            const refusal = refuseTable({ rows: table.rows, isBusy: running !== undefined })
            return (
              <li key={table.key}>
                <h3>{table.name}</h3>
                <p>
                  <b>{formatCount(table.rows)}</b> 行
                </p>
                {running && (
                  <Button kind="quiet" changes={false} onClick={() => onOpen(running.id)}>
                    {CLEARING_FIELDS.state.words[running.state]}，查看进度
                  </Button>
                )}
                {mayClear && (
                  <Button
                    aria-label={`清空${table.name}`}
                    disabled={
                      running
                        ? runningText({
                            byName: running.askedByName,
                            state: running.state,
                            since: formatInstant(running.askedAt),
                          })
                        : refusal && CLEARING_REFUSALS[refusal]
                    }
                    onClick={() => setChosen(table.key)}
                  >
                    清空
                  </Button>
                )}
              </li>
            )
          })}
        </ul>
      )}
      <Notes
        notes={[
          '先在收银系统完成备份，核对行数和校验值后才清空；备份失败时不清空任何数据',
          tables.data
            ? `超过 ${formatCount(tables.data.secondAbove)} 行时，须由另一位工作人员审批`
            : '行数较多时，须由另一位工作人员审批',
          '清空和恢复后，短信通知店铺',
        ]}
      />
      <Suspense>
        {chosen && tables.data && (
          <ClearDialog
            shop={shop}
            table={chosen}
            secondAbove={tables.data.secondAbove}
            onAsked={id => {
              setChosen(null)
              onOpen(id)
            }}
            onClose={() => setChosen(null)}
          />
        )}
      </Suspense>
    </section>
  )
}

function Latest({ shop, clearings, onOpen }: Props) {
  return (
    <section className={styles.section} aria-labelledby="clearing-latest">
      <header className={styles.head}>
        <h2 id="clearing-latest" className={look.sectionTitle}>
          该店铺的清空记录
        </h2>
        {clearings.length > 0 && (
          <Link to="/admin/tool/clearings" search={{ shop: String(shop.id) }} className={look.inText}>
            全部记录
          </Link>
        )}
      </header>
      {clearings.length === 0 ? (
        <p className={look.quiet}>还没有清空过该店铺的数据</p>
      ) : (
        <ol className={styles.latest}>
          {clearings.map(one => (
            <li key={one.id}>
              <button type="button" className={styles.open} onClick={() => onOpen(one.id)}>
                <span className={styles.latestHead}>
                  <b>{one.tableName}</b>
                  <StatusTag tone={CLEARING_FIELDS.state.tones[one.state]}>
                    {CLEARING_FIELDS.state.words[one.state]}
                  </StatusTag>
                  <span>{formatCount(one.emptiedRows ?? one.rows)} 行</span>
                </span>
                <span className={look.quiet}>
                  {one.askedByName} {formatInstant(one.askedAt)}，{one.problem || one.reason}
                </span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
