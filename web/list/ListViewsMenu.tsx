import { lazy, useState } from 'react'
import { messageOf } from '../client/api.ts'
import { buttonLook } from '../controls/Button.tsx'
import { IconDown, IconView } from '../controls/icons.tsx'
import { look } from '../controls/look.ts'
import { Menu, type MenuEntry } from '../controls/Menu.tsx'
import { StatusTag } from '../controls/StatusTag.tsx'
import { Suspense } from '../controls/Suspense.tsx'
import styles from './ListViewsMenu.module.css'
import type { ArrangedColumns, ListState } from './list-props.ts'
import { type ListView, useListServices } from './list-services.ts'
import type { ListParams } from './useListParams.ts'

const ViewsDialog = lazy(() => import('./ViewsDialog.tsx'))

type Props<Row, Params extends ListParams> = {
  listKey: string
  list: ListState<Params, unknown>
  columns: ArrangedColumns<Row>
}

/** Filters, sort and columns under names: take one, save what is shown, or tidy up. */
export function ListViewsMenu<Row, Params extends ListParams>({
  listKey,
  list,
  columns,
}: Props<Row, Params>) {
  const [wanted, setWanted] = useState(false)
  const [dialog, setDialog] = useState<'save' | 'tidy' | null>(null)
  const views = useListServices().useViews(listKey, wanted)
  const params = viewParams(list.params)
  const current = views.rows?.find(view => sameParams(view.params, params))
  const apply = (view: Pick<ListView, 'params' | 'columns'>) => {
    const cleared = Object.fromEntries(Object.keys(params).map(key => [key, undefined]))
    list.setParams({ ...cleared, ...view.params } as Partial<Params>)
    if (view.columns) columns.save(view.columns)
  }
  const isPlain = Object.keys(params).length === 0
  const items: MenuEntry[] = [
    {
      key: 'plain',
      label: '全部记录',
      checked: isPlain,
      onClick: () => apply({ params: {}, columns: null }),
    },
    ...(views.rows ?? []).map(view => ({
      key: String(view.id),
      label: (
        <>
          <span className={styles.listViewName}>{view.name}</span>
          {view.isShared && <StatusTag tone="neutral">共享</StatusTag>}
        </>
      ),
      checked: view === current && !isPlain,
      onClick: () => apply(view),
    })),
    { key: 'save', label: '保存当前视图…', onClick: () => setDialog('save') },
    ...(views.rows?.some(({ mayChange }) => mayChange)
      ? [{ key: 'tidy', label: '管理视图…', onClick: () => setDialog('tidy') }]
      : []),
  ]
  return (
    <>
      <Menu
        label={current ? `视图 ${current.name}` : '视图'}
        className={`${buttonLook()} ${styles.listViews}`}
        button={
          <>
            <IconView />
            <span className={styles.listViewName}>{current && !isPlain ? current.name : '视图'}</span>
            <IconDown className={look.notPhone} />
          </>
        }
        items={items}
        onOpen={() => setWanted(true)}
        head={
          views.error ? (
            <p className={styles.listViewsError} role="alert">
              {messageOf(views.error)}
            </p>
          ) : undefined
        }
      />
      {dialog && (
        <Suspense>
          <ViewsDialog
            tidying={dialog === 'tidy'}
            views={views}
            shown={{ params, columns: columns.settings.length > 0 ? [...columns.settings] : null }}
            onClose={() => setDialog(null)}
          />
        </Suspense>
      )}
    </>
  )
}

/** What a view keeps of the address: everything but where in the list one stands. */
function viewParams(params: ListParams): Record<string, string> {
  const kept = Object.entries(params).filter(
    ([key, value]) => !['page', 'size'].includes(key) && value !== undefined && value !== '',
  )
  return Object.fromEntries(kept.map(([key, value]) => [key, String(value)]))
}

function sameParams(one: Record<string, string>, other: Record<string, string>): boolean {
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every(key => one[key] === other[key])
}
