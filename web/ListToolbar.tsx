import { useState } from 'react'
import { Button } from './Button.tsx'
import { IconDensity, IconDownload, IconFull, IconFullEnd, IconRefresh } from './icons.tsx'
import { toast } from './toast.ts'

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
  exportHref?: string
}

export function ListToolbar({ reloading, onReload, density, onDensity, full, onFull, exportHref }: Props) {
  const densityName = density === 'normal' ? '紧凑行距' : '标准行距'
  return (
    <div className="list-tools" role="toolbar" aria-label="列表工具">
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
        icon={<IconDensity />}
        aria-label={densityName}
        tip={densityName}
        className="not-phone"
        onClick={onDensity}
      />
      <Button
        kind="quiet"
        icon={full ? <IconFullEnd /> : <IconFull />}
        aria-label={full ? '退出全屏' : '全屏'}
        tip={full ? '退出全屏' : '全屏'}
        className="not-phone"
        onClick={onFull}
      />
      {exportHref !== undefined && (
        <a
          className="btn btn-plain"
          href={exportHref}
          download
          onClick={() => toast.info('开始导出，完成后由浏览器保存')}
        >
          <IconDownload />
          导出
        </a>
      )}
    </div>
  )
}
