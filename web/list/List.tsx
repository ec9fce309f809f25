import { lazy } from 'react'
import { besides, type List as Declaration, isOffered, type ListParams } from '#kit/declare/list.ts'
import { useSession } from '../client/session.ts'
import { type Cell, columnsOf } from './columns.tsx'
import { ListPage } from './ListPage.tsx'
import type { ListAnswer, ListProps } from './list-props.ts'
import type { Options } from './options.ts'
import { useChips } from './useChips.ts'
import { useListParams } from './useListParams.ts'

const ListFilters = lazy(() => import('./ListFilters.tsx'))

type ScreenKey<L extends Declaration> = {
  [K in keyof L['columns'] & string]: L['columns'][K] extends { fileOnly: true } ? never : K
}[keyof L['columns'] & string]
type BelowKey<L extends Declaration> = {
  [K in keyof L['columns']]: L['columns'][K] extends { below: readonly (infer B extends string)[] }
    ? B
    : never
}[keyof L['columns']]
type ShownKey<L extends Declaration> = ScreenKey<L> | BelowKey<L>
type IdFilter<L extends Declaration> = {
  [K in keyof L['filters'] & string]: L['filters'][K] extends { kind: 'id' } ? K : never
}[keyof L['filters'] & string]

/** A cell for each column that the row has no field of; for others where the field alone does not say it. */
type Cells<L extends Declaration, Row> = { [K in ShownKey<L>]?: Cell<Row> } & {
  [K in Exclude<ShownKey<L>, keyof Row | 'index'>]: Cell<Row>
}
type Asked<L extends Declaration> = ListParams<L> & { page: number; size: number }
type RowOf<Answer> = Answer extends ListAnswer<infer Row> ? Row : never

type Kept =
  | 'main'
  | 'emptyAction'
  | 'onOpen'
  | 'rowActions'
  | 'actionsWidth'
  | 'openKey'
  | 'bulk'
  | 'selectable'
  | 'rowKeys'
  | 'shownOf'
  | 'summary'
  | 'searchPlaceholder'

type Props<L extends Declaration, Answer extends ListAnswer<RowOf<Answer>>> = {
  of: L
  /** The operation that answers its pages. */
  from: ((asked: Asked<L>) => Promise<Answer>) & { early?(asked: Asked<L>): Answer | undefined }
  /** Parameters of the request that the page sets beside those of the address. */
  asking?: Readonly<Record<string, unknown>>
  /** `id` when absent. */
  rowKey?: (row: RowOf<Answer>) => string | number
} & ([Exclude<ShownKey<L>, keyof RowOf<Answer> | 'index'>] extends [never]
  ? { cells?: Cells<L, RowOf<Answer>> }
  : { cells: Cells<L, RowOf<Answer>> }) &
  ([IdFilter<L>] extends [never] ? { options?: never } : { options: Record<IdFilter<L>, Options> }) &
  Pick<ListProps<RowOf<Answer>, ListParams<L>, Answer>, Kept>

/** A list as it is declared: its columns, filters, chips, address and file. */
export function List<const L extends Declaration, Answer extends ListAnswer<RowOf<Answer>>>({
  of: list,
  from,
  asking,
  rowKey = row => (row as { id: number }).id,
  cells,
  options,
  ...page
}: Props<L, Answer>) {
  type Row = RowOf<Answer>
  const { isVendorStaff } = useSession()
  const [params, setParams] = useListParams(list)
  const columns = columnsOf<Row>(list, (cells ?? {}) as Record<string, Cell<Row>>, isVendorStaff)
  const found: Readonly<Record<string, Options>> = options ?? {}
  const chips = useChips(list.filters ?? {}, found, params)
  const hasFilters = Object.values(list.filters ?? {}).some(filter => isOffered(filter, isVendorStaff))
  return (
    <ListPage<Row, ListParams<L>, Answer>
      {...page}
      title={list.title}
      listKey={list.keptAs ?? list.key}
      declared={list}
      queryKey={asking ? [...list.key.split('.'), asking] : list.key.split('.')}
      fetchPage={asked => from({ ...asked, ...asking })}
      earlyPage={asked => from.early?.({ ...asked, ...asking })}
      exportHref={list.file && ((asked, shown) => fileAddress(list, asked, shown))}
      exportPermission={list.file?.permission}
      rowKey={rowKey}
      columns={columns}
      searchPlaceholder={page.searchPlaceholder ?? list.search}
      filters={
        hasFilters ? (
          <ListFilters
            list={list}
            options={found}
            params={params}
            onChange={changed => setParams(changed as never)}
          />
        ) : undefined
      }
      activeFilters={chips}
      emptyText={list.empty}
    />
  )
}

/** The address of the list's file with what is filtered, the shown columns and what they show besides their fields. */
function fileAddress(
  list: Declaration,
  { page: _page, size: _size, ...filters }: object & { page?: number; size?: number },
  shown: readonly { key: string }[],
): string {
  const query = new URLSearchParams(Object.entries(filters).map(([key, value]) => [key, String(value)]))
  query.set('columns', shown.flatMap(({ key }) => [key, ...besides(list.columns[key] ?? {})]).join(','))
  return `/api${list.file?.path}?${query}`
}
