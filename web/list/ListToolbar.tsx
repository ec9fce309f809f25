import { lazy, type ReactNode, useState } from 'react'
import type { ColumnSetting } from '#kit/declare/columns.ts'
import { Button } from '../controls/Button.tsx'
import {
  IconColumns,
  IconDensity,
  IconFull,
  IconFullEnd,
  IconPrint,
  IconRefresh,
} from '../controls/icons.tsx'
import { look } from '../controls/look.ts'
import { Suspense } from '../controls/Suspense.tsx'
import type { ToolbarColumn } from './ColumnsDialog.tsx'
import styles from './ListToolbar.module.css'

const ColumnsDialog = lazy(() => import('./ColumnsDialog.tsx'))

type Density = 'normal' | 'compact'
const KEY = 'list-density'

/** Row height, remembered in this browser. */
export function useDensity(): [Density, () => void] {
  const [density, setDensity] = useState<Density>(
    localStorage.getItem(KEY) === 'compact' ? 'compact' : 'normal',
  )
  const toggle = () => {
    const next = density === 'normal' ? 'compact' : 'normal'
    localStorage.setItem(KEY, next)
    setDensity(next)
  }
  return [density, toggle]
}

type Props = {
  reloading: boolean
  onReload: () => void
  density: string
  onDensity: () => void
  full: boolean
  onFull: () => void
  onPrint: () => void
  printing: boolean
  columns: readonly ToolbarColumn[]
  settings: readonly ColumnSetting[]
  onColumns: (settings: readonly ColumnSetting[]) => void
  /** The export. */
  children: ReactNode
}

export function ListToolbar(props: Props) {
  const { reloading, onReload, density, onDensity, full, onFull } = props
  const [arranging, setArranging] = useState(false)
  const densityName = density === 'normal' ? '紧凑行距' : '标准行距'
  return (
    <div className={styles.listTools}>
      <Button
        kind="quiet"
        icon={<IconRefresh />}
        aria-label="刷新"
        tip="刷新"
        aria-busy={reloading}
        onClick={onReload}
      />
      <Button
        kind="quiet"
        icon={<IconColumns />}
        aria-label="列设置"
        aria-haspopup="dialog"
        tip="列设置"
        className={look.notPhone}
        onClick={() => setArranging(true)}
      />
      <Button
        kind="quiet"
        icon={<IconDensity />}
        aria-label={densityName}
        tip={densityName}
        className={look.notPhone}
        onClick={onDensity}
      />
      <Button
        kind="quiet"
        icon={full ? <IconFullEnd /> : <IconFull />}
        aria-label={full ? '退出全屏' : '全屏'}
        tip={full ? '退出全屏' : '全屏'}
        className={look.notPhone}
        onClick={onFull}
      />
      <Button
        kind="quiet"
        icon={<IconPrint />}
        aria-label="打印"
        aria-keyshortcuts="Control+P Meta+P"
        tip="打印  Ctrl P"
        busy={props.printing}
        className={look.notPhone}
        onClick={props.onPrint}
      />
      {props.children}
      {arranging && (
        <Suspense>
          <ColumnsDialog
            columns={props.columns}
            settings={props.settings}
            onChange={props.onColumns}
            onClose={() => setArranging(false)}
          />
        </Suspense>
      )}
    </div>
  )
}
